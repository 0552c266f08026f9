import type { PathStep, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { workspacePath } from "../route.ts";
import { words } from "../words.ts";

interface StandingProps {
  first: Workspace;
  second: Workspace;
  /** The lowest workspace above both, or one of them. */
  meeting: string;
}

/** The small picture: the way up from each to where they meet. */
export function Standing({ first, second, meeting }: StandingProps) {
  const ways = [below(first, meeting), below(second, meeting)].filter((way) => way.length > 0);
  const top = [...first.path, first].find((step) => step.id === meeting);
  return (
    <figure class="standing">
      <figcaption class="unseen">{words.compare.picture}</figcaption>
      {top && <Step step={top} />}
      <div class={`ways ${ways.length > 1 ? "fork" : ""}`}>
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
    <Link to={workspacePath(step.id, "reach")} class="step">
      <bdi>{step.name}</bdi>
    </Link>
  );
}

/** The steps from just below `meeting` down to the workspace. */
function below(workspace: Workspace, meeting: string): PathStep[] {
  const whole = [...workspace.path, { id: workspace.id, name: workspace.name }];
  const place = whole.findIndex((step) => step.id === meeting);
  return whole.slice(place + 1);
}
