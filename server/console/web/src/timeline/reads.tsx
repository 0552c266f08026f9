// What was read here: who asked, in which run, how much came back, and what, in the order in which the asker got it. The log
// keeps hashes of queries, never queries.

import { at } from "../api/calls.ts";
import type { Pages } from "../api/pages.ts";
import type { AccessRow, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { Empty } from "../parts/states.tsx";
import { clock, clockWithSeconds } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { words } from "../words.ts";
import { byDay } from "./days.ts";
import { Pull } from "./pull.tsx";

/** How many of what came back are shown. */
const SHOWN = 60;

/** The kinds of reads, by what the access log calls them. */
export const READS = ["search_memories", "inject_memories", "read_memory", "search_session"] as const;

/** Where the reads of a workspace are told. */
export function readsPath(workspace: Workspace, action: string): string {
  return at.access(workspace.id, { action, limit: 100 });
}

export function Reads({ workspace, pages }: { workspace: Workspace; pages: Pages<AccessRow> }) {
  if (pages.rows?.length === 0 && !pages.hasMore) return <Empty title={words.reads.none(workspace.name)} />;
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

function Read({ row }: { row: AccessRow }) {
  const hash = row.context.query_hash;
  const line = (
    <>
      <time dateTime={row.at} title={clockWithSeconds(row.at)}>
        {clock(row.at)}
      </time>
      <span class="label" title={row.subject}>
        <bdi>{row.subject}</bdi>
      </span>
      <span class="hit-text">
        {words.reads.came(row.action, row.memories.length)}
        {typeof hash === "string" && (
          <span class="quiet" title={words.reads.hash}>
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
        <Pull run={row.run_id} session={undefined} />
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
          <ol class="ranked" aria-label={words.reads.inOrder}>
            {row.memories.slice(0, SHOWN).map(({ id, version }, place) => (
              <li key={id}>
                <Link to={`${workspacePath(row.workspace_id)}?m=${id}`} title={words.reads.version(id, version)}>
                  <span class="quiet">{place + 1}</span> <code>{id.slice(-6)}</code>
                </Link>
              </li>
            ))}
            {row.memories.length > SHOWN && <li class="quiet">{words.access.more(row.memories.length - SHOWN)}</li>}
          </ol>
          <p class="answered-links">
            {row.run_id && (
              <Link to={`${workspacePath(row.workspace_id, "access")}?run_id=${row.run_id}`}>{words.runs.log}</Link>
            )}
            <Link to={`${workspacePath(row.workspace_id, "reach")}?ask=`}>{words.ask.missing}</Link>
          </p>
        </div>
      </details>
      <Pull run={row.run_id} session={undefined} />
    </li>
  );
}
