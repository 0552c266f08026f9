import type { PathStep, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { Stored } from "../parts/stored.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";

interface PathDiagramProps {
  first: Workspace;
  second: Workspace;
  /** Id of the lowest common ancestor, which may be one of the two. */
  meeting: string;
}

/** The paths from both workspaces up to their common ancestor. */
export function PathDiagram({ first, second, meeting }: PathDiagramProps) {
  const ways = [below(first, meeting), below(second, meeting)].filter((way) => way.length > 0);
  const top = [...first.path, first].find((step) => step.id === meeting);
  return (
    <figure class="path-diagram">
      <figcaption class="unseen">{strings.compare.diagram}</figcaption>
      {top && <Step step={top} />}
      <div class={`branches ${ways.length > 1 ? "fork" : ""}`}>
        {ways.map((way, index) => (
          <ol key={index}>
            {way.map((step) => (
              <li key={step.id}>
                <Step step={step} />
              </li>
            ))}
          </ol>
        ))}
      </div>
    </figure>
  );
}

function Step({ step }: { step: PathStep }) {
  return (
    <Link to={workspacePath(step.id, "reach")} class="path-step">
      <Stored>{step.name}</Stored>
    </Link>
  );
}

/** The steps from below `meeting` down to the workspace. */
function below(workspace: Workspace, meeting: string): PathStep[] {
  const whole = [...workspace.path, { id: workspace.id, name: workspace.name }];
  const place = whole.findIndex((step) => step.id === meeting);
  return whole.slice(place + 1);
}
