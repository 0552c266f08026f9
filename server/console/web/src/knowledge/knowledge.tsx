import type { Me, Workspace } from "../api/types.ts";
import { go, useRoute } from "../route.ts";
import { strings } from "../strings.ts";
import { Collections } from "./collections.tsx";
import { Documents } from "./documents.tsx";
import { VIEWS, type View, knowledgePath } from "./paths.ts";
import { Processors } from "./processors.tsx";

interface KnowledgeProps {
  me: Me;
  workspace: Workspace;
}

/** What a workspace knows from files and exports: documents, collections of rows, and processors that distil them. */
export function Knowledge({ me, workspace }: KnowledgeProps) {
  const { query } = useRoute();
  const view = VIEWS.find((each) => each === query.get("view")) ?? "documents";
  const switcher = <Switch workspace={workspace} view={view} />;
  switch (view) {
    case "documents":
      return <Documents key={view} me={me} workspace={workspace} switcher={switcher} />;
    case "collections":
      return <Collections key={view} workspace={workspace} switcher={switcher} />;
    case "processors":
      return <Processors key={view} me={me} workspace={workspace} switcher={switcher} />;
  }
}

function Switch({ workspace, view }: { workspace: Workspace; view: View }) {
  return (
    <div class="segments" role="group" aria-label={strings.library.view}>
      {VIEWS.map((each) => (
        <button key={each} type="button" aria-pressed={each === view} onClick={() => go(knowledgePath(workspace.id, each))}>
          {strings.library.views[each]}
        </button>
      ))}
    </div>
  );
}
