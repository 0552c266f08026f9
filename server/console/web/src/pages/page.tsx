import { useEffect, useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Page, PageExplanation, PageSources, Workspace } from "../api/types.ts";
import { IconButton } from "../parts/controls.tsx";
import { CloseIcon } from "../parts/icons.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { strings } from "../strings.ts";

/** The confidence below which a page reaches no prompt. */
export const GATE = 0.35;

/** One page: why it is in the working set or not, its text, and the episodes that it was made of. */
export function PageDrawer({ workspace, id, onClose }: { workspace: Workspace; id: string; onClose: () => void }) {
  const page = useResource<Page>(endpoint.page(workspace.id, id));
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={strings.pages.page}>
      <header>
        <h2>
          <Stored>{page.data?.subject ?? strings.pages.own}</Stored>
        </h2>
        <IconButton label={strings.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {page.failure && !page.data && <ErrorNotice failure={page.failure} />}
      {!page.data && !page.failure && <Skeleton rows={4} />}
      {page.data && (
        <div class="drawer-body">
          <p class="drawer-facts">
            <span>{strings.pages.tiers[page.data.tier]}</span>
            <span>{strings.pages.confidence(page.data.confidence)}</span>
            <Time at={page.data.last_at} />
          </p>
          {page.data.content === "" ? <p class="hint">{strings.pages.noText}</p> : <Content text={page.data.content} />}
          <Why workspace={workspace} id={id} />
          <Sources workspace={workspace} id={id} />
          <Id id={id} />
        </div>
      )}
    </aside>
  );
}

/** The server's reason. */
function Why({ workspace, id }: { workspace: Workspace; id: string }) {
  const why = useResource<PageExplanation>(endpoint.pageWhy(workspace.id, id));
  if (!why.data) return null;
  return (
    <section aria-label={strings.pages.why}>
      <h3>{strings.pages.causes[why.data.cause]}</h3>
      <p>
        <bdi dir="ltr">{why.data.reason}</bdi>
      </p>
    </section>
  );
}

/** The chain back to what happened. */
function Sources({ workspace, id }: { workspace: Workspace; id: string }) {
  const found = useResource<PageSources>(endpoint.pageSources(workspace.id, id));
  return (
    <section aria-label={strings.pages.sources}>
      <h3>{strings.pages.sources}</h3>
      {found.failure && !found.data && <ErrorNotice failure={found.failure} />}
      <ol class="page-sources">
        {found.data?.sources.map((episode) => (
          <li key={episode.id}>
            <Content text={episode.summary ?? ""} />
            <p class="memory-facts">
              {[episode.actor, episode.channel, episode.correlation_id].map(
                (text, at) =>
                  text && (
                    <span key={at} class="fact">
                      <Stored>{text}</Stored>
                    </span>
                  ),
              )}
              <Time at={episode.created_at} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
