import { at } from "../api/calls.ts";
import type { Failure } from "../api/http.ts";
import { useResource } from "../api/resource.ts";
import type { Why, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { Refused, Waiting, sentence } from "../parts/states.tsx";
import { Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { pathWith } from "../route.ts";
import { words } from "../words.ts";
import { Access } from "./access.tsx";

interface AbsentProps {
  workspace: Workspace;
  id: string;
  /** What the server said when it was asked for the memory itself. */
  failure: Failure;
}

/** What is left of a memory that cannot be read: the one cause, for whom the server tells it. */
export function Absent({ workspace, id, failure }: AbsentProps) {
  const why = useResource<Why>(failure.status === 404 ? at.why(workspace.id, id) : undefined);
  if (failure.status !== 404 || why.failure) return <Refused failure={failure} />;
  if (!why.data) return <Waiting rows={3} />;
  return (
    <div class="drawer-body">
      <div class="refused">
        <p class="refused-title">{words.causes[why.data.cause]}</p>
        <p>
          <bdi>{sentence(why.data.reason)}</bdi>
        </p>
        {why.data.since && (
          <p class="quiet">
            <Time at={why.data.since} />
          </p>
        )}
        {why.data.superseded_by && (
          <p>
            <Link to={pathWith({ m: why.data.superseded_by })}>{words.ask.replacement}</Link>
          </p>
        )}
        <p class="quiet">
          <Id id={id} />
        </p>
      </div>
      <Access workspace={workspace} id={id} isOpen />
    </div>
  );
}
