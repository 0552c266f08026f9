import { useEffect, useRef, useState } from "preact/hooks";
import { decideReview, endpoint } from "../api/calls.ts";
import { invalidate, useResource } from "../api/resource.ts";
import type { Memory, Review, ReviewDecision, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { Button, Field, IconButton, Link } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { CloseIcon } from "../parts/icons.tsx";
import { ChangeFault, useSave } from "../parts/save.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Id } from "../parts/text.tsx";
import { Time, exact } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import { recordText, valueText } from "./reviews.tsx";

/** The decisions and their keys. */
const DECISIONS: Array<[ReviewDecision, string]> = [
  ["record_wins", "r"],
  ["memory_was_right", "m"],
  ["dismissed", "d"],
];

interface ReviewProps {
  workspace: Workspace;
  review: Review;
  canDecide: boolean;
  onDecided: () => void;
  onClose: () => void;
}

/** One difference: the claim on the left, the record on the right, and the decision. */
export function ReviewDrawer({ workspace, review, canDecide, onDecided, onClose }: ReviewProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  const { claim } = review;
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={strings.reviews.review}>
      <header>
        <h2>
          <Stored>{`${claim.entity} ${claim.field}`}</Stored>
        </h2>
        <IconButton label={strings.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <div class="drawer-body">
        <div class="versus">
          <section aria-label={strings.reviews.claim}>
            <h3>{strings.reviews.claim}</h3>
            <p class="value">
              <Stored>{valueText(claim.value)}</Stored>
            </p>
            <p class="hint">
              <Item review={review} />
            </p>
          </section>
          <section aria-label={strings.reviews.record}>
            <h3>{strings.reviews.record}</h3>
            <p class="value">
              <Stored>{recordText(review)}</Stored>
            </p>
            {claim.record && (
              <p class="hint">
                <Stored>{strings.reviews.asOf(exact(claim.record.as_of), claim.record.source)}</Stored>
              </p>
            )}
          </section>
        </div>
        {review.item_kind === "memory" && <Text review={review} />}
        {canDecide && <Decide workspace={workspace} review={review} onDecided={onDecided} />}
        <dl class="facts-list">
          <div>
            <dt>{strings.reviews.status}</dt>
            <dd>{strings.reviews.statuses[review.status]}</dd>
          </div>
          {review.note && (
            <div>
              <dt>{strings.reviews.note}</dt>
              <dd>
                <Stored>{review.note}</Stored>
              </dd>
            </div>
          )}
          <div>
            <dt>{strings.reviews.found}</dt>
            <dd>
              <Time at={review.created_at} />
            </dd>
          </div>
          <div>
            <dt>{strings.reviews.item}</dt>
            <dd>
              <Id id={review.item_id} />
            </dd>
          </div>
        </dl>
        {review.decided_at && (
          <p>
            <Stored>{strings.reviews.decided(review.decided_by ?? "–", exact(review.decided_at))}</Stored>
          </p>
        )}
      </div>
    </aside>
  );
}

/** The link to the memory, or to the timeline with the episode. */
function Item({ review }: { review: Review }) {
  const label = `${strings.reviews.items[review.item_kind]}, ${strings.reviews.version(review.item_version)}`;
  const to =
    review.item_kind === "memory"
      ? `${workspacePath(review.workspace_id)}?memory=${review.item_id}`
      : `${workspacePath(review.workspace_id, "timeline")}?kind=activity`;
  return <Link to={to}>{label}</Link>;
}

/** The text of the memory, as people read it. */
function Text({ review }: { review: Review }) {
  const memory = useResource<Memory>(endpoint.memory(review.workspace_id, review.item_id));
  return memory.data ? <Content text={memory.data.content} /> : null;
}

function Decide({ workspace, review, onDecided }: { workspace: Workspace; review: Review; onDecided: () => void }) {
  const [note, setNote] = useState("");
  const save = useSave();
  const decide = (decision: ReviewDecision) => {
    if (save.isBusy) return;
    void save.run({
      send: async () => (await decideReview(workspace.id, review.id, { decision, note: note.trim() || null })).data,
      find: undefined,
      onStored: () => {
        showToast(strings.reviews.done);
        invalidate((path) => path.includes("/reviews") || path.includes(`/memories/${review.item_id}`));
        onDecided();
      },
    });
  };
  useKeys(Object.fromEntries(DECISIONS.map(([decision, key]) => [key, () => decide(decision)])));
  return (
    <form class="decide" onSubmit={(event) => event.preventDefault()}>
      <Field label={strings.reviews.note} hint={strings.reviews.noteHint}>
        {(props) => <input {...props} value={note} onInput={(event) => setNote(event.currentTarget.value)} />}
      </Field>
      <ChangeFault save={save} />
      {DECISIONS.map(([decision, key]) => (
        <p key={decision} class="decision">
          <Button onClick={() => decide(decision)} isBusy={save.isBusy}>
            {strings.reviews.decisions[decision]} <kbd>{key}</kbd>
          </Button>
          <span class="hint">{strings.reviews.effects[decision]}</span>
        </p>
      ))}
    </form>
  );
}
