import type { Pages } from "../api/pages.ts";
import { Earlier, More } from "../parts/pager.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";

interface RowsProps {
  pages: Pages<unknown>;
  none: string;
  children: preact.ComponentChildren;
}

/** The states of a list, and its pager. */
export function Rows({ pages, none, children }: RowsProps) {
  return (
    <div aria-busy={pages.isLoading}>
      {pages.failure && <ErrorNotice failure={pages.failure} />}
      <Earlier pages={pages} />
      {!pages.rows && !pages.failure && <Skeleton rows={2} height={48} />}
      {pages.rows?.length === 0 && <p class="hint">{none}</p>}
      {pages.rows && pages.rows.length > 0 && children}
      <More pages={pages} />
    </div>
  );
}
