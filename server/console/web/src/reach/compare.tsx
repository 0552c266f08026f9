import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { RelationAnswer, RelationRow, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { IconButton, Link } from "../parts/controls.tsx";
import { Cross, Tick } from "../parts/icons.tsx";
import { Refused, Waiting } from "../parts/states.tsx";
import { Picker } from "../parts/picker.tsx";
import { goWith, workspacePath } from "../route.ts";
import { words } from "../words.ts";
import { Standing } from "./standing.tsx";

/** Two workspaces: three scopes, both directions, each with its sentence, and how they stand. */
export function Compare({ workspace, other }: { workspace: Workspace; other: string | undefined }) {
  const isAsked = other !== undefined && other !== "";
  const relation = useResource<RelationAnswer>(isAsked ? at.relation(workspace.id, other) : undefined);
  const second = useResource<Workspace>(isAsked ? at.workspace(other) : undefined).data;
  return (
    <section class="compare" aria-label={words.compare.title}>
      <div class="compare-head">
        <h2>{words.compare.title}</h2>
        <Picker
          key={other ?? ""}
          org={workspace.org_id}
          label={words.compare.pick}
          placeholder={second?.name}
          isWanted={other === ""}
          onPick={(one) => goWith({ with: one.id })}
        />
        {isAsked && (
          <IconButton label={words.compare.end} onClick={() => goWith({ with: undefined })}>
            <Cross />
          </IconButton>
        )}
      </div>
      {relation.failure && <Refused failure={relation.failure} />}
      {isAsked && !relation.data && !relation.failure && <Waiting rows={3} height={40} />}
      {relation.data && <Compared workspace={workspace} second={second} relation={relation.data} />}
    </section>
  );
}

interface ComparedProps {
  workspace: Workspace;
  second: Workspace | undefined;
  relation: RelationAnswer;
}

function Compared({ workspace, second, relation }: ComparedProps) {
  const other = second?.name ?? relation.other_id;
  return (
    <>
      <p class="sentence">
        <bdi>{words.compare.relation(relation.relation, workspace.name, other)}</bdi>
      </p>
      <div class="scroll">
        <table class="table compare-table">
          <thead>
            <tr>
              <th scope="col">{words.compare.scope}</th>
              <th scope="col">
                <bdi>{words.compare.reads(workspace.name, other)}</bdi>
              </th>
              <th scope="col">
                <bdi>{words.compare.reads(other, workspace.name)}</bdi>
              </th>
            </tr>
          </thead>
          <tbody>
            {relation.rows.map((row) => (
              <ComparedRow key={row.scope} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {second && <Standing first={workspace} second={second} meeting={relation.common_ancestor} />}
      {second && (
        <p>
          <Link to={`${workspacePath(second.id, "reach")}?with=${workspace.id}`}>
            {words.compare.turnRound(second.name)}
          </Link>
        </p>
      )}
    </>
  );
}

function ComparedRow({ row }: { row: RelationRow }) {
  return (
    <tr>
      <th scope="row">
        <ScopeChip scope={row.scope} />
      </th>
      <Verdict isYes={row.reads} reason={row.reads_reason} />
      <Verdict isYes={row.read_by} reason={row.read_by_reason} />
    </tr>
  );
}

function Verdict({ isYes, reason }: { isYes: boolean; reason: string }) {
  return (
    <td class={isYes ? "yes" : "no"}>
      <span class="verdict">
        {isYes ? <Tick /> : <Cross />}
        {isYes ? words.compare.yes : words.compare.no}
      </span>
      <span class="reach-why">
        <bdi>{reason}</bdi>
      </span>
    </td>
  );
}
