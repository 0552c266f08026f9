import type { Window } from "../api/pages.ts";
import { strings } from "../strings.ts";
import { Button } from "./controls.tsx";

/** Loads the next rows of a list. */
export function More({ pages }: { pages: Window<unknown> }) {
  if (!pages.hasMore) return null;
  return (
    <Button kind="quiet" class="more" isBusy={pages.isLoading} onClick={pages.more}>
      {strings.more}
    </Button>
  );
}

/** Returns to rows that the list renders no more, because it renders only a window of a long list. */
export function Earlier({ pages }: { pages: Window<unknown> }) {
  if (!pages.hasEarlier) return null;
  return (
    <Button kind="quiet" class="more" onClick={pages.earlier}>
      {strings.earlier}
    </Button>
  );
}
