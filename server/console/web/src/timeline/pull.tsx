import { Link } from "../parts/controls.tsx";
import { pathWith } from "../route.ts";
import { words } from "../words.ts";

interface PullProps {
  run: string | null | undefined;
  session: string | null | undefined;
}

/** What a row belongs to, each to be pulled out of the timeline. It stands beside the row, which leads elsewhere itself. */
export function Pull({ run, session }: PullProps) {
  if (!run && !session) return null;
  return (
    <span class="pull">
      {run && (
        <Link to={pathWith({ run, session: undefined })} title={words.strip.pull}>
          {words.strip.pullRun(run)}
        </Link>
      )}
      {session && (
        <Link to={pathWith({ session, run: undefined })} title={words.strip.pull}>
          <bdi>{words.strip.pullSession(session)}</bdi>
        </Link>
      )}
    </span>
  );
}

/** Pulls out what the row that has the focus belongs to: its run, else its session. */
export function pullOut(): boolean | void {
  const link = document.activeElement?.closest("li")?.querySelector<HTMLElement>(".pull a");
  return link ? link.click() : false;
}
