import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Workspace } from "../api/types.ts";
import { AccessLog } from "../audit/log.tsx";
import { useTitle } from "../frame/title.ts";
import { useKeys } from "../keys.ts";
import { Knowledge } from "../knowledge/knowledge.tsx";
import { Memories } from "../memories/memories.tsx";
import { Button, Link } from "../parts/controls.tsx";
import { ErrorNotice } from "../parts/states.tsx";
import { isId } from "../parts/ids.ts";
import { Stored } from "../parts/stored.tsx";
import { Id } from "../parts/text.tsx";
import { Pages } from "../pages/pages.tsx";
import { Profiles } from "../profiles/profiles.tsx";
import { Reach } from "../reach/reach.tsx";
import { Reviews } from "../reviews/reviews.tsx";
import { Runs } from "../runs/runs.tsx";
import { TABS, type Tab, go, workspacePath } from "../route.ts";
import { visited } from "../recent.ts";
import { may } from "../session.ts";
import { Skills } from "../skills/skills.tsx";
import { State } from "../state/state.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { Subject } from "../subject/subject.tsx";
import { strings } from "../strings.ts";
import { WorkspaceActions } from "./workspace-actions.tsx";
import { Budget } from "./budget.tsx";
import { Connect } from "./connect.tsx";
import { NewWorkspace } from "./new-workspace.tsx";

interface WorkspaceProps {
  me: Me;
  id: string;
  tab: Tab;
}

/** Views that are one list, which fills the page and scrolls by itself. */
const LISTS: readonly Tab[] = ["memories", "state", "timeline", "runs", "access", "pages", "reviews", "skills", "knowledge"];

/** One workspace in one of its views. */
export function WorkspaceScreen({ me, id, tab }: WorkspaceProps) {
  const workspace = useResource<Workspace>(endpoint.workspace(id));
  useTitle(strings.tabs[tab], workspace.data?.name);
  const name = workspace.data?.name;
  useEffect(() => {
    if (name !== undefined) visited({ id, name });
  }, [id, name]);
  // there are ten digits
  const keys = TABS.slice(0, 10).map((each, index) => [String((index + 1) % 10), () => go(workspacePath(id, each))] as const);
  useKeys({ ...Object.fromEntries(keys), "c": () => go(`${workspacePath(id, "reach")}?with=`) });
  if (workspace.failure && !workspace.data) {
    return (
      <main id="main" class="work" tabIndex={-1}>
        <h1>{strings.workspace.absent}</h1>
        <ErrorNotice failure={workspace.failure} />
        <p>
          {!isId(id) && <bdi dir="ltr">{strings.workspace.noId(id)} </bdi>}
          <Link to="./">{strings.notFound.home}</Link>
        </p>
      </main>
    );
  }
  return (
    <main id="main" class={`work ${LISTS.includes(tab) ? "of-list" : ""}`} tabIndex={-1}>
      <Head me={me} workspace={workspace.data} id={id} tab={tab} />
      {workspace.data && <View me={me} workspace={workspace.data} tab={tab} />}
    </main>
  );
}

function View({ me, workspace, tab }: { me: Me; workspace: Workspace; tab: Tab }) {
  switch (tab) {
    case "memories":
      return <Memories me={me} workspace={workspace} />;
    case "state":
      return <State me={me} workspace={workspace} />;
    case "timeline":
      return <Timeline workspace={workspace} />;
    case "reach":
      return <Reach workspace={workspace} />;
    case "profiles":
      return <Profiles me={me} workspace={workspace} />;
    case "runs":
      return <Runs me={me} workspace={workspace} />;
    case "access":
      return <AccessLog workspace={workspace} />;
    case "pages":
      return <Pages workspace={workspace} />;
    case "reviews":
      return <Reviews me={me} workspace={workspace} />;
    case "connect":
      return <Connect me={me} workspace={workspace} />;
    case "skills":
      return <Skills me={me} workspace={workspace} />;
    case "knowledge":
      return <Knowledge me={me} workspace={workspace} />;
    case "subject":
      return <Subject me={me} workspace={workspace} />;
  }
}

function Head({ me, workspace, id, tab }: { me: Me; workspace: Workspace | undefined; id: string; tab: Tab }) {
  const [isCreating, create] = useState(false);
  const tabs = useRef<HTMLElement>(null);
  // scrolls the current tab into view where the tabs do not fit
  useEffect(() => tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [tab]);
  return (
    <>
      <div class="work-head">
        <div class="work-title">
          <h1>
            <Stored>{workspace?.name ?? "\u00a0"}</Stored>
          </h1>
          {workspace?.role && (
            <p class="role">
              <Stored>{workspace.role}</Stored>
            </p>
          )}
          {workspace?.budget && <Budget budget={workspace.budget} />}
        </div>
        <Id id={id} />
        {workspace && <WorkspaceActions me={me} workspace={workspace} />}
        {may(me, "add_child") && <Button onClick={() => create(true)}>{strings.workspace.addChild}</Button>}
      </div>
      <nav class="tabs" aria-label={strings.workspace.views} ref={tabs}>
        <ul>
          {TABS.map((each) => (
            <li key={each}>
              <Link to={workspacePath(id, each)} aria-current={each === tab ? "page" : undefined}>
                {strings.tabs[each]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {isCreating && workspace && (
        <NewWorkspace title={strings.workspace.addChild} onClose={() => create(false)} parent={id} />
      )}
    </>
  );
}
