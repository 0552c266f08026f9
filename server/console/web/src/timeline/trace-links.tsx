import { Link } from "../parts/controls.tsx";
import { pathWith } from "../route.ts";
import { strings } from "../strings.ts";

interface TraceLinksProps {
  run: string | null | undefined;
  session: string | null | undefined;
}

/** Links to the traces of a row's run and session. They are outside the row, which is a link itself. */
export function TraceLinks({ run, session }: TraceLinksProps) {
  if (!run && !session) return null;
  return (
    <span class="trace-links">
      {run && (
        <Link to={pathWith({ run, session: undefined })} title={strings.trace.show}>
          {strings.trace.runLink(run)}
        </Link>
      )}
      {session && (
        <Link to={pathWith({ session, run: undefined })} title={strings.trace.show}>
          <bdi dir="ltr">{strings.trace.sessionLink(session)}</bdi>
        </Link>
      )}
    </span>
  );
}

/** Opens the trace of the focused row: of its run, otherwise of its session. */
export function openTrace(): boolean | void {
  const link = document.activeElement?.closest("li")?.querySelector<HTMLElement>(".trace-links a");
  return link ? link.click() : false;
}
