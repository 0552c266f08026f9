import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Memory, ReachAnswer, RelationAnswer, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { Refused } from "../parts/states.tsx";
import { workspacePath } from "../route.ts";
import { words } from "../words.ts";

/** Why this workspace reads this memory, and who else does: the server's sentences. */
export function Why({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  const relation = useResource<RelationAnswer>(at.relation(workspace.id, memory.workspace_id));
  const row = relation.data?.rows.find((each) => each.scope === memory.scope);
  return (
    <details open>
      <summary>
        <h3>{words.why.title}</h3>
      </summary>
      {relation.failure && <Refused failure={relation.failure} />}
      {row && (
        <p class="sentence">
          <bdi>{words.why.sentence(workspace.name, memory.scope, memory.workspace_name, row.reads_reason)}</bdi>
        </p>
      )}
      {memory.team && <p class="quiet">{words.why.bound}</p>}
      <Others memory={memory} workspace={workspace} />
      {memory.via !== "self" && (
        <p>
          <Link to={`${workspacePath(workspace.id, "reach")}?with=${memory.workspace_id}`}>
            {words.why.compare(workspace.name, memory.workspace_name)}
          </Link>
        </p>
      )}
    </details>
  );
}

/** Who else can read it, by name, as far as the caller may ask for its author. */
function Others({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  // who reads what is bound to one team is not among the answers of this call
  const isAsked = memory.team === undefined || memory.team === null;
  const reach = useResource<ReachAnswer>(isAsked ? at.reach(memory.workspace_id) : undefined);
  if (!reach.data) return null;
  const readers = reach.data.read_by.filter((row) => row.scope === memory.scope && row.workspace_id !== workspace.id);
  if (readers.length === 0) return <p class="quiet">{words.why.nobodyElse}</p>;
  const shown = readers.slice(0, 12);
  return (
    <>
      <h4>{words.why.others(readers.length)}</h4>
      <ul class="readers">
        {shown.map((row) => (
          <li key={row.workspace_id} title={row.reason}>
            <Link to={workspacePath(row.workspace_id)}>
              <bdi>{row.name}</bdi>
            </Link>
          </li>
        ))}
        {readers.length > shown.length && (
          <li>
            <Link to={workspacePath(memory.workspace_id, "reach")}>{words.why.more(readers.length - shown.length)}</Link>
          </li>
        )}
      </ul>
    </>
  );
}
