import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Workspace } from "../api/types.ts";
import { Audit } from "../audit/screen.tsx";
import { useKeys } from "../keys.ts";
import { LiveStatus } from "../live/indicator.tsx";
import { Boundary } from "../parts/boundary.tsx";
import { IconButton, Link } from "../parts/controls.tsx";
import { MenuIcon, TreeIcon, GaugeIcon, SearchIcon, List } from "../parts/icons.tsx";
import { Stored } from "../parts/stored.tsx";
import { Home } from "../screens/home.tsx";
import { NotFound } from "../screens/not-found.tsx";
import { Search } from "../screens/search.tsx";
import { System } from "../screens/system.tsx";
import { WorkspaceScreen } from "../screens/workspace.tsx";
import { type Screen, go, pathOf, useRoute, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { TreePane } from "../tree/pane.tsx";
import { strings } from "../strings.ts";
import { MOD } from "../keys.ts";
import { Help } from "./help.tsx";
import { Jump } from "./jump.tsx";
import { Resizer } from "./resizer.tsx";
import { AccountMenu } from "./account.tsx";

/** The header, the tree and the current screen. */
export function Frame({ me }: { me: Me }) {
  const { screen } = useRoute();
  const [open, setOpen] = useState<"jump" | "help">();
  const [isTreeShown, showTree] = useState(false);
  const filter = useRef<HTMLInputElement>(null);
  const selected = screen.name === "workspace" ? screen.id : undefined;
  // on a narrow page the tree covers the screen and closes after a selection
  useEffect(() => showTree(false), [selected, screen.name]);
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
    "g f": () => (me.role === "agent" ? false : go("search")),
    "Escape": () => (isTreeShown ? showTree(false) : false),
  });
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        {strings.frame.skip}
      </button>
      <header class="top">
        <Boundary part={strings.boundary.parts.header}>
          <IconButton class="tree-toggle" label={strings.frame.tree} expanded={isTreeShown} onClick={() => showTree(!isTreeShown)}>
            <MenuIcon />
          </IconButton>
          <Link to="./" class="mark">
            <img src="icon.svg" alt="" width="20" height="20" />
            orgmem
          </Link>
          <Crumbs screen={screen} />
          <button type="button" class="jump-button" onClick={() => setOpen("jump")}>
            <SearchIcon />
            <span>{strings.jump.button}</span>
            <kbd>{MOD}K</kbd>
          </button>
          <LiveStatus me={me} selected={selected} />
          <AccountMenu me={me} onHelp={() => setOpen("help")} />
        </Boundary>
      </header>
      <div class={`body ${isTreeShown ? "with-tree" : ""}`}>
        <nav class="side" aria-label={strings.frame.navigation}>
          <ul class="rail">
            <li>
              <RailLink to="./" isCurrent={screen.name === "home"}>
                <TreeIcon />
                {strings.frame.orgs(me.role)}
              </RailLink>
            </li>
            {me.role !== "agent" && (
              <li>
                <RailLink to="search" isCurrent={screen.name === "search"}>
                  <SearchIcon />
                  {strings.search.rail}
                </RailLink>
              </li>
            )}
            {may(me, "read_access_log") && (
              <li>
                <RailLink to="audit" isCurrent={screen.name === "audit"}>
                  <List />
                  {strings.access.audit}
                </RailLink>
              </li>
            )}
            {may(me, "read_server") && (
              <li>
                <RailLink to="system" isCurrent={screen.name === "system"}>
                  <GaugeIcon />
                  {strings.system.title}
                </RailLink>
              </li>
            )}
          </ul>
          <Boundary part={strings.boundary.parts.tree}>
            <TreePane me={me} selected={selected} filter={filter} />
          </Boundary>
          <Resizer />
        </nav>
        <Boundary key={pathOf(screen)}>
          <Work me={me} screen={screen} />
        </Boundary>
      </div>
      <Boundary key={open} part={strings.boundary.parts.dialog}>
        {open === "jump" && <Jump me={me} onClose={() => setOpen(undefined)} />}
        {open === "help" && <Help onClose={() => setOpen(undefined)} />}
      </Boundary>
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

function Work({ me, screen }: { me: Me; screen: Screen }) {
  switch (screen.name) {
    case "home":
      return <Home me={me} />;
    case "system":
      return <System />;
    case "audit":
      return <Audit me={me} />;
    case "search":
      return <Search me={me} />;
    case "workspace":
      return <WorkspaceScreen key={screen.id} me={me} id={screen.id} tab={screen.tab} />;
    case "not_found":
      return <NotFound />;
  }
}

/** The ancestors that the caller may see. */
function Crumbs({ screen }: { screen: Screen }) {
  const id = screen.name === "workspace" ? screen.id : undefined;
  const workspace = useResource<Workspace>(id && endpoint.workspace(id)).data;
  if (!workspace || screen.name !== "workspace") return <div class="crumbs" />;
  return (
    <nav class="crumbs" aria-label={strings.frame.path}>
      <ol>
        {workspace.path.map((step) => (
          <li key={step.id}>
            <Link to={workspacePath(step.id, screen.tab)}>
              <Stored>{step.name}</Stored>
            </Link>
          </li>
        ))}
        <li aria-current="page">
          <Stored>{workspace.name}</Stored>
        </li>
      </ol>
    </nav>
  );
}
