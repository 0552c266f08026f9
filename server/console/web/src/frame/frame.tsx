import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Workspace } from "../api/types.ts";
import { Audit } from "../audit/place.tsx";
import { useKeys } from "../keys.ts";
import { LiveMark } from "../live/mark.tsx";
import { IconButton, Link } from "../parts/controls.tsx";
import { Bars, Branches, Gauge, Glass, List } from "../parts/icons.tsx";
import { Home } from "../places/home.tsx";
import { Nowhere } from "../places/nowhere.tsx";
import { System } from "../places/system.tsx";
import { WorkspacePlace } from "../places/workspace.tsx";
import { type Place, go, useRoute, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { TreePane } from "../tree/pane.tsx";
import { words } from "../words.ts";
import { MOD } from "../keys.ts";
import { Help } from "./help.tsx";
import { Jump } from "./jump.tsx";
import { Resizer } from "./resizer.tsx";
import { Who } from "./who.tsx";

/** Top, tree, work; the drawer belongs to the work. */
export function Frame({ me }: { me: Me }) {
  const { place } = useRoute();
  const [open, setOpen] = useState<"jump" | "help">();
  const [isTreeShown, showTree] = useState(false);
  const filter = useRef<HTMLInputElement>(null);
  const selected = place.at === "workspace" ? place.id : undefined;
  // on a narrow page the tree lies over the work, and goes when one has chosen
  useEffect(() => showTree(false), [selected, place.at]);
  useKeys({
    "Mod+k": () => setOpen("jump"),
    "?": () => setOpen("help"),
    "g t": () => {
      showTree(true);
      filter.current?.focus();
    },
    "g s": () => may(me, "read_server") && go("system"),
    "g a": () => (may(me, "read_access_log") ? go("audit") : false),
    "g h": () => go("./"),
    "Escape": () => (isTreeShown ? showTree(false) : false),
  });
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        {words.frame.skip}
      </button>
      <header class="top">
        <IconButton class="tree-toggle" label={words.frame.tree} expanded={isTreeShown} onClick={() => showTree(!isTreeShown)}>
          <Bars />
        </IconButton>
        <Link to="./" class="mark">
          <img src="icon.svg" alt="" width="20" height="20" />
          orgmem
        </Link>
        <Crumbs place={place} />
        <button type="button" class="jump-button" onClick={() => setOpen("jump")}>
          <Glass />
          <span>{words.jump.button}</span>
          <kbd>{MOD}K</kbd>
        </button>
        <LiveMark me={me} selected={selected} />
        <Who me={me} onHelp={() => setOpen("help")} />
      </header>
      <div class={`body ${isTreeShown ? "with-tree" : ""}`}>
        <nav class="side" aria-label={words.frame.places}>
          <ul class="rail">
            <li>
              <RailLink to="./" isCurrent={place.at === "home"}>
                <Branches />
                {words.frame.orgs(me.role)}
              </RailLink>
            </li>
            {may(me, "read_access_log") && (
              <li>
                <RailLink to="audit" isCurrent={place.at === "audit"}>
                  <List />
                  {words.access.audit}
                </RailLink>
              </li>
            )}
            {may(me, "read_server") && (
              <li>
                <RailLink to="system" isCurrent={place.at === "system"}>
                  <Gauge />
                  {words.system.title}
                </RailLink>
              </li>
            )}
          </ul>
          <TreePane me={me} selected={selected} filter={filter} />
          <Resizer />
        </nav>
        <Work me={me} place={place} />
      </div>
      {open === "jump" && <Jump me={me} onClose={() => setOpen(undefined)} />}
      {open === "help" && <Help onClose={() => setOpen(undefined)} />}
    </>
  );
}

function RailLink({ to, isCurrent, children }: { to: string; isCurrent: boolean; children: preact.ComponentChildren }) {
  return (
    <Link to={to} aria-current={isCurrent ? "page" : undefined}>
      {children}
    </Link>
  );
}

function Work({ me, place }: { me: Me; place: Place }) {
  switch (place.at) {
    case "home":
      return <Home me={me} />;
    case "system":
      return <System />;
    case "audit":
      return <Audit me={me} />;
    case "workspace":
      return <WorkspacePlace key={place.id} me={me} id={place.id} tab={place.tab} />;
    case "nowhere":
      return <Nowhere />;
  }
}

/** The ancestors, as far as the caller may see them. */
function Crumbs({ place }: { place: Place }) {
  const id = place.at === "workspace" ? place.id : undefined;
  const workspace = useResource<Workspace>(id && at.workspace(id)).data;
  if (!workspace || place.at !== "workspace") return <div class="crumbs" />;
  return (
    <nav class="crumbs" aria-label={words.frame.path}>
      <ol>
        {workspace.path.map((step) => (
          <li key={step.id}>
            <Link to={workspacePath(step.id, place.tab)}>
              <bdi>{step.name}</bdi>
            </Link>
          </li>
        ))}
        <li aria-current="page">
          <bdi>{workspace.name}</bdi>
        </li>
      </ol>
    </nav>
  );
}
