import type { AccessRow } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { Time } from "../parts/time.tsx";
import { pathWith, workspacePath } from "../route.ts";
import { nameOf } from "../tree/store.ts";
import { words } from "../words.ts";

/** How many of a row's memories are named. */
const NAMED = 3;

/** Rows of the access log, each with links to what it is about. */
export function AccessRows({ rows }: { rows: AccessRow[] }) {
  const { head } = words.access;
  return (
    <table class="table accesses-table">
      <thead>
        <tr>
          <th scope="col">{head.at}</th>
          <th scope="col">{head.who}</th>
          <th scope="col">{head.did}</th>
          <th scope="col">{head.as}</th>
          <th scope="col">{head.memories}</th>
          <th scope="col" class="number">
            {head.seal}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.seq} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { row: AccessRow }) {
  return (
    <tr class={row.action === "redact_memory" ? "marked" : ""}>
      <td>
        <Time at={row.at} brief />
      </td>
      <td class="who-did">
        <Link to={pathWith({ subject: row.subject })} title={row.subject}>
          <bdi>{row.subject}</bdi>
        </Link>
      </td>
      <td>
        {words.access.did(row.action)}
        <Told context={row.context} />
      </td>
      <td>
        <Link to={workspacePath(row.workspace_id, "access")}>
          <bdi>{nameOf(row.workspace_id) ?? `${row.workspace_id.slice(0, 8)}…`}</bdi>
        </Link>
      </td>
      <td>
        <Memories row={row} />
        {row.run_id && (
          <Link to={pathWith({ run_id: row.run_id })}>{words.access.said.run_id(row.run_id)}</Link>
        )}
      </td>
      <td class="number" title={row.sealed ? words.access.sealed : words.access.waiting}>
        {row.seq}
        {!row.sealed && <span class="quiet"> {words.access.waiting}</span>}
      </td>
    </tr>
  );
}

/** Why, where a reason was given. */
function Told({ context }: { context: Record<string, unknown> }) {
  const { reason } = context;
  if (typeof reason !== "string") return null;
  return (
    <span class="reach-why">
      <bdi>{reason}</bdi>
    </span>
  );
}

function Memories({ row }: { row: AccessRow }) {
  const { memories } = row;
  if (memories.length === 0) return null;
  return (
    <span class="named">
      {memories.slice(0, NAMED).map(({ id }) => (
        <Link key={id} to={`${workspacePath(row.workspace_id)}?m=${id}`} title={id}>
          <code>{id.slice(-6)}</code>
        </Link>
      ))}
      {memories.length > NAMED && <span class="quiet">{words.access.more(memories.length - NAMED)}</span>}
    </span>
  );
}
