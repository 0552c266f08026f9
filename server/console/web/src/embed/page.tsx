import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { everythingChanged, useResource } from "../api/resource.ts";
import type { Me, Workspace } from "../api/types.ts";
import { CONSOLE, FRAMERS } from "../base.ts";
import { useTitle } from "../frame/title.ts";
import { Mark, useLive } from "../live/mark.tsx";
import { Memories } from "../memories/memories.tsx";
import { Toasts } from "../parts/dialog.tsx";
import { Refused, Waiting, sentence } from "../parts/states.tsx";
import { useRoute } from "../route.ts";
import { words } from "../words.ts";
import { handed } from "./handed.ts";

/** The memories of one workspace, without anything around them: that is another product's. */
export function Embedded() {
  const { place } = useRoute();
  const id = place.at === "workspace" ? place.id : "";
  useTitle(words.tabs.memories);
  if (parent === window) return <ByItself id={id} />;
  return (
    <>
      <Ended />
      <Tab id={id} />
      <Toasts />
    </>
  );
}

function Tab({ id }: { id: string }) {
  const me = useResource<Me>(at.me);
  const workspace = useResource<Workspace>(at.workspace(id));
  const live = useLive(workspace.data && at.events(id));
  const failure = me.failure ?? workspace.failure;
  const isThere = me.data !== undefined && workspace.data !== undefined;
  return (
    <main id="main" class="work of-list embedded" tabIndex={-1}>
      <h1 class={isThere ? "unseen" : ""}>
        <bdi>{workspace.data ? words.embed.title(workspace.data.name) : words.tabs.memories}</bdi>
      </h1>
      {live === "waiting" && <Mark state={live} />}
      {!isThere && failure && <Refused failure={failure} />}
      {!isThere && !failure && <Waiting />}
      {me.data && workspace.data && <Memories me={me.data} workspace={workspace.data} />}
    </main>
  );
}

/** Says, above everything, that there is no token and that one was asked for. */
function Ended() {
  const [, redraw] = useState(0);
  const ref = useRef<HTMLParagraphElement>(null);
  useEffect(
    () =>
      handed.listen(() => {
        // another one may be somebody else's
        if (handed.isThere) everythingChanged();
        redraw((count) => count + 1);
      }),
    [],
  );
  const { isThere, said } = handed;
  // a dialog that one types into lies above everything but this
  useEffect(() => void ref.current?.togglePopover(said !== undefined), [said]);
  return (
    <>
      <p class="handing" role="alert" popover="manual" ref={ref}>
        {said !== undefined && <bdi>{words.embed.ended(sentence(said))}</bdi>}
      </p>
      {!isThere && said === undefined && <p class="handing-first">{words.embed.waiting}</p>}
    </>
  );
}

/** Nobody's page is around this one. */
function ByItself({ id }: { id: string }) {
  return (
    <main id="main" class="alone">
      <img src="icon.svg" alt="" width="40" height="40" />
      <h1>{words.embed.alone}</h1>
      <p>{words.embed.how}</p>
      {FRAMERS?.length === 0 && <p class="notice">{words.embed.nobody}</p>}
      <p>
        <a href={new URL(`w/${id}/memories`, CONSOLE).href}>{words.embed.inConsole}</a>
      </p>
    </main>
  );
}
