// The reads of a workspace: caller, run, and the returned memories in rank order. The log stores hashes of queries,
// never queries.

import { endpoint } from "../api/calls.ts";
import type { Pages } from "../api/pages.ts";
import type { AuditRow, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { visible } from "../parts/hidden.ts";
import { Empty } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { clock, clockWithSeconds } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import { byDay } from "./days.ts";
import { TraceLinks } from "./trace-links.tsx";

/** How many returned memories are shown. */
const SHOWN = 60;

/** The kinds of reads, by their names in the audit log. */
export const READS = ["search_memories", "inject_memories", "read_memory", "search_session"] as const;

export function readsPath(workspace: Workspace, action: string, callers: string): string {
  return endpoint.access(workspace.id, { action, callers, limit: 100 });
}

export function Reads({ workspace, pages, by }: { workspace: Workspace; pages: Pages<AuditRow>; by: string }) {
  if (pages.rows?.length === 0 && !pages.hasMore) return <Empty title={strings.reads.none(workspace.name, by)} />;
  return (
    <>
      {byDay(pages.rows ?? [], (row) => row.at).map(([day, rows]) => (
        <section key={day} class="day">
          <h2>{day}</h2>
          <ol class="hits reads">
            {rows.map((row) => (
              <Read key={row.seq} row={row} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function Read({ row }: { row: AuditRow }) {
  const hash = row.context.query_hash;
  const line = (
    <>
      <time dateTime={row.at} title={clockWithSeconds(row.at)}>
        {clock(row.at)}
      </time>
      <span class="label" title={visible(row.subject)}>
        <Stored>{row.subject}</Stored>
      </span>
      <span class="hit-text">
        {strings.reads.returned(row.action, row.memories.length)}
        {typeof hash === "string" && (
          <span class="quiet" title={strings.reads.hash}>
            {" "}
            <code>{hash.slice(0, 8)}</code>
          </span>
        )}
      </span>
    </>
  );
  if (row.memories.length === 0) {
    return (
      <li>
        <div class="hit" tabIndex={-1} data-row={row.seq}>
          {line}
        </div>
        <TraceLinks run={row.run_id} session={undefined} />
      </li>
    );
  }
  return (
    <li>
      <details class="unfold">
        <summary class="hit" data-row={row.seq}>
          {line}
        </summary>
        <div class="body-of">
          <ol class="ranked" aria-label={strings.reads.inOrder}>
            {row.memories.slice(0, SHOWN).map(({ id, version }, place) => (
              <li key={id}>
                <Link to={`${workspacePath(row.workspace_id)}?m=${id}`} title={strings.reads.version(id, version)}>
                  <span class="quiet">{place + 1}</span> <code>{id.slice(-6)}</code>
                </Link>
              </li>
            ))}
            {row.memories.length > SHOWN && <li class="quiet">{strings.access.more(row.memories.length - SHOWN)}</li>}
          </ol>
          <p class="explanation-links">
            {row.run_id && (
              <Link to={`${workspacePath(row.workspace_id, "access")}?run_id=${row.run_id}`}>{strings.runs.log}</Link>
            )}
            <Link to={`${workspacePath(row.workspace_id, "reach")}?ask=`}>{strings.explain.missing}</Link>
          </p>
        </div>
      </details>
      <TraceLinks run={row.run_id} session={undefined} />
    </li>
  );
}
