import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { invalidateAll, useResource } from "../api/resource.ts";
import type { Me, Workspace } from "../api/types.ts";
import { CONSOLE, FRAMERS } from "../base.ts";
import { useTitle } from "../frame/title.ts";
import { LiveIndicator, UNREAD, useLive } from "../live/indicator.tsx";
import { Memories } from "../memories/memories.tsx";
import { Boundary } from "../parts/boundary.tsx";
import { Toasts } from "../parts/dialog.tsx";
import { ErrorNotice, Skeleton, asSentence } from "../parts/states.tsx";
import { UnsavedDialog } from "../parts/unsaved.tsx";
import { useRoute } from "../route.ts";
import { strings } from "../strings.ts";
import { hostToken } from "./host-token.ts";

/** The memories of one workspace without the frame, for embedding in another product. */
export function Embedded() {
  const { screen } = useRoute();
  const id = screen.name === "workspace" ? screen.id : "";
  useTitle(strings.tabs.memories);
  if (parent === window) return <OpenedDirectly id={id} />;
  return (
    <>
      <TokenNotice />
      <MemoryTab id={id} />
      <UnsavedDialog />
      <Toasts />
    </>
  );
}

function MemoryTab({ id }: { id: string }) {
  const me = useResource<Me>(endpoint.me);
  const workspace = useResource<Workspace>(endpoint.workspace(id));
  const live = useLive(workspace.data && endpoint.events(id, UNREAD));
  const failure = me.failure ?? workspace.failure;
  const isLoaded = me.data !== undefined && workspace.data !== undefined;
  return (
    <main id="main" class="work of-list embedded" tabIndex={-1}>
      <h1 class={isLoaded ? "unseen" : ""}>
        <bdi dir="ltr">{workspace.data ? strings.embed.title(workspace.data.name) : strings.tabs.memories}</bdi>
      </h1>
      {live === "waiting" && <LiveIndicator state={live} />}
      {!isLoaded && failure && <ErrorNotice failure={failure} />}
      {!isLoaded && !failure && <Skeleton />}
      {me.data && workspace.data && (
        <Boundary part={strings.boundary.parts.list}>
          <Memories me={me.data} workspace={workspace.data} />
        </Boundary>
      )}
    </main>
  );
}

/** Shows, above everything else, that there is no token and that one was requested. */
function TokenNotice() {
  const [, redraw] = useState(0);
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(
    () =>
      hostToken.listen(() => {
        // the new token may belong to another caller
        if (hostToken.hasToken) invalidateAll();
        redraw((count) => count + 1);
      }),
    [],
  );
  const { hasToken, rejection } = hostToken;
  // an open dialog covers everything except a popover that opens later
  useEffect(() => void ref.current?.togglePopover(rejection !== undefined), [rejection]);
  return (
    <>
      <p class="token-notice" role="alert" popover="manual" ref={ref}>
        {rejection !== undefined && <bdi dir="ltr">{strings.embed.ended(asSentence(rejection))}</bdi>}
      </p>
      {!hasToken && rejection === undefined && <p class="token-notice-first">{strings.embed.waiting}</p>}
    </>
  );
}

/** Shown when the page is not in a frame. */
function OpenedDirectly({ id }: { id: string }) {
  return (
    <main id="main" class="centred">
      <img src="icon.svg" alt="" width="40" height="40" />
      <h1>{strings.embed.direct}</h1>
      <p>{strings.embed.how}</p>
      {FRAMERS?.length === 0 && <p class="notice">{strings.embed.noOrigins}</p>}
      <p>
        <a href={new URL(`w/${id}/memories`, CONSOLE).href}>{strings.embed.inConsole}</a>
      </p>
    </main>
  );
}
