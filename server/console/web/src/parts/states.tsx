// Placeholders for missing content: empty, loading, refused, failed.

import type { ComponentChildren } from "preact";
import type { Failure } from "../api/http.ts";
import { isolateRuns } from "../strings/isolate.ts";
import { strings } from "../strings.ts";
import { Copy } from "./text.tsx";

/** An empty state: what appears here, how, and one action. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Skeleton rows of the final height; visible only after a short delay. */
export function Skeleton({ rows = 6, height = 56 }: { rows?: number; height?: number }) {
  return (
    <div class="waiting" role="status" aria-label={strings.states.loading}>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} style={{ height: `${height}px` }}>
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

/** A failed request: the server's sentence, the retry state and the request id. */
export function ErrorNotice({ failure }: { failure: Failure }) {
  const id = failure.problem.request_id;
  return (
    <div class={`refused ${failure.status >= 500 || failure.status === 0 ? "broken" : ""}`} role="alert">
      <p class="refused-title">{titleOf(failure)}</p>
      <p>
        <bdi dir="ltr">{failureMessage(failure)}</bdi>
      </p>
      {failure.isTransient && <p class="quiet">{failure.status === 429 ? strings.states.busy : strings.states.retrying}</p>}
      {id && (
        <p class="quiet">
          {strings.states.request} <code>{id}</code> <Copy text={id} label={strings.copy.id} />
        </p>
      )}
    </div>
  );
}

function titleOf(failure: Failure): string {
  if (failure.status === 0) return strings.states.offline;
  if (failure.status === 404) return strings.states.notFound;
  return failure.problem.title ?? strings.states.failed;
}

/** The server's message, formatted as a sentence. */
export function failureMessage(failure: Failure): string {
  const message = failure.problem.detail;
  return message === undefined ? strings.states.noResponse : asSentence(message);
}

/** Capitalises a message of the server and adds a full stop. */
export function asSentence(message: string): string {
  return isolateRuns(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
}

/** The message for this field, when the server's error names it. */
export function fieldError(failure: Failure | undefined, field: string): string | undefined {
  const named = failure?.more("field");
  return failure && named === field ? failureMessage(failure) : undefined;
}
