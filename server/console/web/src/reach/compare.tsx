import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { RelationResponse, RelationRow, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { IconButton, Link } from "../parts/controls.tsx";
import { CloseIcon, CheckIcon } from "../parts/icons.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Picker } from "../parts/picker.tsx";
import { goWith, workspacePath } from "../route.ts";
import { isolateRuns } from "../strings/isolate.ts";
import { strings } from "../strings.ts";
import { PathDiagram } from "./path-diagram.tsx";

/** Two workspaces: three scopes in both directions, each with its reason, and their relationship. */
export function Compare({ workspace, other }: { workspace: Workspace; other: string | undefined }) {
  const isAsked = other !== undefined && other !== "";
  const relation = useResource<RelationResponse>(isAsked ? endpoint.relation(workspace.id, other) : undefined);
  const second = useResource<Workspace>(isAsked ? endpoint.workspace(other) : undefined).data;
  return (
    <section class="compare" aria-label={strings.compare.title}>
      <div class="compare-head">
        <h2>{strings.compare.title}</h2>
        <Picker
          key={other ?? ""}
          org={workspace.org_id}
          label={strings.compare.pick}
          chosen={second?.name}
          isWanted={other === ""}
          onPick={(one) => goWith({ with: one.id })}
        />
        {isAsked && (
          <IconButton label={strings.compare.end} onClick={() => goWith({ with: undefined })}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
      {relation.failure && <ErrorNotice failure={relation.failure} />}
      {isAsked && !relation.data && !relation.failure && <Skeleton rows={3} height={40} />}
      {relation.data && <Compared workspace={workspace} second={second} relation={relation.data} />}
    </section>
  );
}

interface ComparedProps {
  workspace: Workspace;
  second: Workspace | undefined;
  relation: RelationResponse;
}

function Compared({ workspace, second, relation }: ComparedProps) {
  const other = second?.name ?? relation.other_id;
  return (
    <>
      <p class="sentence">
        <bdi dir="ltr">{strings.compare.relation(relation.relation, workspace.name, other)}</bdi>
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label={strings.compare.scope}>
        <table class="table compare-table">
          <thead>
            <tr>
              <th scope="col">{strings.compare.scope}</th>
              <th scope="col">
                <bdi dir="ltr">{strings.compare.reads(workspace.name, other)}</bdi>
              </th>
              <th scope="col">
                <bdi dir="ltr">{strings.compare.reads(other, workspace.name)}</bdi>
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
      {second && <PathDiagram first={workspace} second={second} meeting={relation.common_ancestor} />}
      {second && (
        <p>
          <Link to={`${workspacePath(second.id, "reach")}?with=${workspace.id}`}>
            {strings.compare.reverse(second.name)}
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
        {isYes ? <CheckIcon /> : <CloseIcon />}
        {isYes ? strings.compare.yes : strings.compare.no}
      </span>
      <span class="reach-why">
        <bdi dir="ltr">{isolateRuns(reason)}</bdi>
      </span>
    </td>
  );
}
