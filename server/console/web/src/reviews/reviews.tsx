import { useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { Me, Review, ReviewStatus, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, moveFocus } from "../memories/rows.ts";
import { Link } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { ReviewDrawer } from "./review.tsx";

const STATUSES = Object.keys(strings.reviews.statuses) as ReviewStatus[];

/** The differences between claims and records: a queue for people to decide. */
export function Reviews({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const status = STATUSES.find((each) => each === query.get("status"));
  const pages = usePages<Review>(endpoint.reviews(workspace.id, { status, limit: 100 }));
  const open = query.get("review") ?? undefined;
  // a review that was just decided leaves the list of open ones before its drawer closes
  const last = useRef<Review | undefined>(undefined);
  const shown = pages.rows?.find((review) => review.id === open) ?? (last.current?.id === open ? last.current : undefined);
  last.current = shown;
  const close = () => {
    goWith({ review: undefined });
    focusRow(list.current, open);
  };
  const next = () => {
    const rows = pages.rows ?? [];
    const at = rows.findIndex((review) => review.id === open);
    const following = rows.slice(at + 1).find((review) => review.status === "open" && review.id !== open);
    goWith({ review: following?.id });
  };
  useKeys({
    "j": () => moveFocus(list.current, 1, pages.more),
    "ArrowDown": () => moveFocus(list.current, 1, pages.more),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    "Escape": () => {
      if (open !== undefined) return close();
      if (status === undefined) return false;
      goWith({ status: undefined }, { replace: true });
    },
  });
  return (
    <div class={`with-drawer ${shown === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={strings.tabs.reviews}>
        <div class="list-head">
          <div class="segments" role="group" aria-label={strings.reviews.status}>
            {[undefined, ...STATUSES].map((each) => (
              <button
                key={each ?? ""}
                type="button"
                aria-pressed={status === each}
                onClick={() => goWith({ status: each }, { replace: true })}
              >
                {each ? strings.reviews.statuses[each] : strings.reviews.all}
              </button>
            ))}
          </div>
        </div>
        <div class={`rows ${pages.isStale ? "stale" : ""}`} aria-busy={pages.isLoading} ref={list}>
          {pages.failure && <ErrorNotice failure={pages.failure} />}
          <Earlier pages={pages} />
          {!pages.rows && !pages.failure && <Skeleton height={32} />}
          {pages.rows?.length === 0 && !pages.isStale && <NoReviews workspace={workspace} status={status} />}
          {pages.rows && pages.rows.length > 0 && <Table reviews={pages.rows} open={open} />}
          <More pages={pages} />
        </div>
      </section>
      {shown && (
        <ReviewDrawer
          key={shown.id}
          workspace={workspace}
          review={shown}
          canDecide={may(me, "decide_reviews")}
          onDecided={next}
          onClose={close}
        />
      )}
    </div>
  );
}

function Table({ reviews, open }: { reviews: Review[]; open: string | undefined }) {
  return (
    <table class="table keys reviews">
      <thead>
        <tr>
          <th scope="col">{strings.reviews.review}</th>
          <th scope="col">{strings.reviews.claim}</th>
          <th scope="col">{strings.reviews.record}</th>
          <th scope="col">{strings.reviews.status}</th>
          <th scope="col">{strings.reviews.found}</th>
        </tr>
      </thead>
      <tbody>
        {reviews.map((review) => (
          <tr key={review.id} class={review.id === open ? "open" : ""}>
            <th scope="row">
              <Link to={pathWith({ review: review.id })} data-row={review.id} class={review.id === open ? "open" : ""}>
                <Stored>{`${review.claim.entity} ${review.claim.field}`}</Stored>
              </Link>
            </th>
            <td class="value">
              <Stored>{valueText(review.claim.value)}</Stored>
            </td>
            <td class="value">
              <Stored>{recordText(review)}</Stored>
            </td>
            <td>{strings.reviews.statuses[review.status]}</td>
            <td>
              <Time at={review.created_at} brief />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A value as people write it: text without quotation marks. */
export const valueText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** The value of the record with its unit. */
export const recordText = ({ claim: { record } }: Review) =>
  record ? [valueText(record.value), record.unit].filter(Boolean).join(" ") : "–";

function NoReviews({ workspace, status }: { workspace: Workspace; status: ReviewStatus | undefined }) {
  if (status) return <Empty title={strings.reviews.nothingMatches(strings.reviews.statuses[status])} />;
  return (
    <Empty title={strings.reviews.none(workspace.name)}>
      <p>{strings.reviews.how}</p>
    </Empty>
  );
}
