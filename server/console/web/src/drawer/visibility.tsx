import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Memory, ReachResponse, RelationResponse, RecallExplanation, Workspace } from "../api/types.ts";
import { visible } from "../parts/hidden.ts";
import { otherReaders, readersPath } from "../parts/readers.ts";
import { isEmbedded } from "../base.ts";
import { Link } from "../parts/controls.tsx";
import { ErrorNotice, asSentence } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";

/** Why this workspace can read this memory, and who else can, in the server's sentences. */
export function Visibility({ workspace, memory, query }: { workspace: Workspace; memory: Memory; query: string }) {
  const relation = useResource<RelationResponse>(endpoint.relation(workspace.id, memory.workspace_id));
  const row = relation.data?.rows.find((each) => each.scope === memory.scope);
  return (
    <details open>
      <summary>
        <h3>{strings.visibility.title}</h3>
      </summary>
      {relation.failure && <ErrorNotice failure={relation.failure} />}
      {row && (
        <p class="sentence">
          <bdi dir="ltr">{strings.visibility.sentence(workspace.name, memory.scope, memory.workspace_name, row.reads_reason)}</bdi>
        </p>
      )}
      {query !== "" && <Rank workspace={workspace} memory={memory} query={query} />}
      {memory.team && <p class="quiet">{strings.visibility.bound}</p>}
      <OtherReaders memory={memory} workspace={workspace} />
      {memory.via !== "self" && !isEmbedded && (
        <p>
          <Link to={`${workspacePath(workspace.id, "reach")}?with=${memory.workspace_id}`}>
            {strings.visibility.compare(workspace.name, memory.workspace_name)}
          </Link>
        </p>
      )}
    </details>
  );
}

/** The rank of the memory for the query, with a link to the explanation. */
function Rank({ workspace, memory, query }: { workspace: Workspace; memory: Memory; query: string }) {
  const cause = useResource<RecallExplanation>(endpoint.why(workspace.id, memory.id, query)).data;
  if (!cause) return null;
  const { rank, found } = cause;
  const isFound = rank !== undefined && rank !== null && found !== undefined && found !== null;
  const parameters = new URLSearchParams({ ask: memory.id, q: query });
  return (
    <p>
      <Link to={`${workspacePath(workspace.id, "reach")}?${parameters}`}>
        <bdi dir="ltr">{isFound ? strings.explain.rank(rank, found, query) : asSentence(cause.reason)}</bdi>
      </Link>
    </p>
  );
}

/** The other readers by name, as far as the caller may see them. */
function OtherReaders({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  // this call does not cover a memory that is bound to one team
  const isAsked = memory.team === undefined || memory.team === null;
  const reach = useResource<ReachResponse>(isAsked ? readersPath(memory.workspace_id, memory.scope) : undefined);
  if (!reach.data) return null;
  // of all readers, the author included, without this workspace
  const count = otherReaders(reach.data, memory.scope);
  const readers = reach.data.read_by.filter((row) => row.scope === memory.scope && row.workspace_id !== workspace.id);
  if (count === 0) return <p class="quiet">{strings.visibility.nobodyElse}</p>;
  const shown = readers.slice(0, 12);
  return (
    <>
      <h4>{strings.visibility.others(count)}</h4>
      <ul class="readers">
        {shown.map((row) => (
          <li key={row.workspace_id} title={visible(row.reason)}>
            <Link to={workspacePath(row.workspace_id)}>
              <Stored>{row.name}</Stored>
            </Link>
          </li>
        ))}
        {count > shown.length && (
          <li>
            <Link to={workspacePath(memory.workspace_id, "reach")}>{strings.visibility.more(count - shown.length)}</Link>
          </li>
        )}
      </ul>
    </>
  );
}
