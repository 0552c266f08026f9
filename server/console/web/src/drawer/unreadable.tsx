import { endpoint } from "../api/calls.ts";
import type { Failure } from "../api/http.ts";
import { useResource } from "../api/resource.ts";
import type { RecallExplanation, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { ErrorNotice, Skeleton, asSentence } from "../parts/states.tsx";
import { Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { pathWith } from "../route.ts";
import { strings } from "../strings.ts";
import { Access } from "./access.tsx";

interface UnreadableMemoryProps {
  workspace: Workspace;
  id: string;
  /** The failure of the request for the memory. */
  failure: Failure | undefined;
  /** When it was redacted, if the reader could read it before. */
  redactedAt: string | undefined;
}

/** Shown instead of a memory that cannot be read: the one cause, if the server discloses it to this caller. */
export function UnreadableMemory({ workspace, id, failure, redactedAt }: UnreadableMemoryProps) {
  const isAbsent = failure === undefined || failure.status === 404;
  const why = useResource<RecallExplanation>(isAbsent ? endpoint.why(workspace.id, id) : undefined);
  if (failure && (!isAbsent || why.failure)) return <ErrorNotice failure={failure} />;
  if (redactedAt && why.failure) {
    return (
      <div class="drawer-body">
        <p class="refused-title">{strings.causes.redacted}</p>
        <Time at={redactedAt} />
      </div>
    );
  }
  if (!why.data) return <Skeleton rows={3} />;
  return (
    <div class="drawer-body">
      <div class="refused">
        <p class="refused-title">{strings.causes[why.data.cause]}</p>
        <p>
          <bdi dir="ltr">{asSentence(why.data.reason)}</bdi>
        </p>
        {why.data.since && (
          <p class="quiet">
            <Time at={why.data.since} />
          </p>
        )}
        {why.data.superseded_by && (
          <p>
            <Link to={pathWith({ m: why.data.superseded_by })}>{strings.explain.replacement}</Link>
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
