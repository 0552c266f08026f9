// What is shown instead of what was asked for: nothing yet, nothing found, refused, broken, on its way.

import type { ComponentChildren } from "preact";
import type { Failure } from "../api/http.ts";
import { words } from "../words.ts";
import { Copy } from "./text.tsx";

/** One sentence on what would be here, one on how it gets here, one action. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Grey rows of the height that the real ones will have; seen only when waiting takes a while. */
export function Waiting({ rows = 6, height = 56 }: { rows?: number; height?: number }) {
  return (
    <div class="waiting" role="status" aria-label={words.states.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} style={{ height: `${height}px` }}>
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

/** Why something is not shown, in the server's words, and what would help. */
export function Refused({ failure }: { failure: Failure }) {
  const id = failure.problem.request_id;
  return (
    <div class={`refused ${failure.status >= 500 || failure.status === 0 ? "broken" : ""}`} role="alert">
      <p class="refused-title">{titleOf(failure)}</p>
      <p>
        <bdi>{sentenceOf(failure)}</bdi>
      </p>
      {failure.isPassing && <p class="quiet">{failure.status === 429 ? words.states.busy : words.states.retrying}</p>}
      {id && (
        <p class="quiet">
          {words.states.request} <code>{id}</code> <Copy text={id} label={words.copy.id} />
        </p>
      )}
    </div>
  );
}

function titleOf(failure: Failure): string {
  if (failure.status === 0) return words.states.offline;
  if (failure.status === 404) return words.states.absent;
  return failure.problem.title ?? words.states.failed;
}

/** The server's own sentence, begun as sentences begin. */
export function sentenceOf(failure: Failure): string {
  const said = failure.problem.detail;
  return said === undefined ? words.states.noAnswer : sentence(said);
}

/** What the server says within sentences, as one of its own. */
export function sentence(said: string): string {
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`;
}

/** The fault of a field, when that is what the server complains about. */
export function faultOf(failure: Failure | undefined, field: string): string | undefined {
  const named = failure?.more("field");
  return failure && named === field ? sentenceOf(failure) : undefined;
}
