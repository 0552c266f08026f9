import type { AuditRow } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { visible } from "../parts/hidden.ts";
import { Stored } from "../parts/stored.tsx";
import { Time } from "../parts/time.tsx";
import { pathWith, workspacePath } from "../route.ts";
import { nameOf } from "../tree/store.ts";
import { strings } from "../strings.ts";

/** How many memories a row names. */
const NAMED = 3;

/** Rows of the audit log with links to their subjects. */
export function AccessRows({ rows }: { rows: AuditRow[] }) {
  const { head } = strings.access;
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

function Row({ row }: { row: AuditRow }) {
  return (
    <tr class={row.action === "redact_memory" ? "marked" : ""}>
      <td>
        <Time at={row.at} brief />
      </td>
      <td class="who-did">
        <Link to={pathWith({ subject: row.subject })} title={visible(row.subject)}>
          <Stored>{row.subject}</Stored>
        </Link>
        <span class="quiet"> {row.role}</span>
      </td>
      <td>
        {strings.access.did(row.action)}
        <Reason context={row.context} />
      </td>
      <td>
        <Link to={workspacePath(row.workspace_id, "access")}>
          <Stored>{nameOf(row.workspace_id) ?? `${row.workspace_id.slice(0, 8)}…`}</Stored>
        </Link>
      </td>
      <td>
        <Memories row={row} />
        {row.run_id && (
          <Link to={pathWith({ run_id: row.run_id })}>{strings.access.sentences.run_id(row.run_id)}</Link>
        )}
      </td>
      <td class="number" title={row.sealed ? strings.access.sealed : strings.access.waiting}>
        {row.seq}
        {!row.sealed && <span class="quiet"> {strings.access.waiting}</span>}
      </td>
    </tr>
  );
}

/** The reason, where the caller gave one. */
function Reason({ context }: { context: Record<string, unknown> }) {
  const { reason } = context;
  if (typeof reason !== "string") return null;
  return (
    <span class="reach-why">
      <Stored>{reason}</Stored>
    </span>
  );
}

function Memories({ row }: { row: AuditRow }) {
  const { memories } = row;
  if (memories.length === 0) return null;
  return (
    <span class="named">
      {memories.slice(0, NAMED).map(({ id }) => (
        <Link key={id} to={`${workspacePath(row.workspace_id)}?m=${id}`} title={id}>
          <code>{id.slice(-6)}</code>
        </Link>
      ))}
      {memories.length > NAMED && <span class="quiet">{strings.access.more(memories.length - NAMED)}</span>}
    </span>
  );
}
