import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Memory, ReachAnswer, RelationAnswer, Why as Cause, Workspace } from "../api/types.ts";
import { isEmbedded } from "../base.ts";
import { Link } from "../parts/controls.tsx";
import { Refused, sentence } from "../parts/states.tsx";
import { workspacePath } from "../route.ts";
import { words } from "../words.ts";

/** Why this workspace reads this memory, and who else does: the server's sentences. */
export function Why({ workspace, memory, query }: { workspace: Workspace; memory: Memory; query: string }) {
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
      {query !== "" && <Rank workspace={workspace} memory={memory} query={query} />}
      {memory.team && <p class="quiet">{words.why.bound}</p>}
      <Others memory={memory} workspace={workspace} />
      {memory.via !== "self" && !isEmbedded && (
        <p>
          <Link to={`${workspacePath(workspace.id, "reach")}?with=${memory.workspace_id}`}>
            {words.why.compare(workspace.name, memory.workspace_name)}
          </Link>
        </p>
      )}
    </details>
  );
}

/** At which place the query finds it; the answer has an address of its own. */
function Rank({ workspace, memory, query }: { workspace: Workspace; memory: Memory; query: string }) {
  const cause = useResource<Cause>(at.why(workspace.id, memory.id, query)).data;
  if (!cause) return null;
  const { rank, found } = cause;
  const isFound = rank !== undefined && rank !== null && found !== undefined && found !== null;
  const asked = new URLSearchParams({ ask: memory.id, q: query });
  return (
    <p>
      <Link to={`${workspacePath(workspace.id, "reach")}?${asked}`}>
        <bdi>{isFound ? words.ask.rank(rank, found, query) : sentence(cause.reason)}</bdi>
      </Link>
    </p>
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
