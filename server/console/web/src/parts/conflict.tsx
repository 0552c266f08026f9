import { useState } from "preact/hooks";
import { strings } from "../strings.ts";
import { Button, Field } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";
import { Diff } from "./diff.tsx";
import { useUnsaved } from "./unsaved.tsx";

interface ConflictProps {
  /** The text when the editing began. */
  base: string;
  /** The current text; null when it was deleted. */
  theirs: { version: number; text: string } | null;
  mine: string;
  /** Validates a text: an error message or undefined. */
  check?: (text: string) => string | undefined;
  onClose: () => void;
  onTake: (merged: string) => void;
}

/** A three-way view of an edit conflict: both changes against the base, and a field for the result. */
export function Conflict({ base, theirs, mine, check, onClose, onTake }: ConflictProps) {
  const other = theirs?.text ?? "";
  const [merged, setMerged] = useState(mine);
  const fault = check?.(merged);
  const close = useUnsaved(merged !== mine && merged !== other, [], onClose);
  return (
    <Dialog title={strings.conflict.title} onClose={close}>
      <p>{theirs ? strings.conflict.changed(theirs.version) : strings.conflict.dropped}</p>
      <div class="three">
        <section>
          <h3>{strings.conflict.theirs}</h3>
          <Diff from={base} to={other} />
          <Button onClick={() => setMerged(other)}>{strings.conflict.useTheirs}</Button>
        </section>
        <section>
          <h3>{strings.conflict.mine}</h3>
          <Diff from={base} to={mine} />
          <Button onClick={() => setMerged(mine)}>{strings.conflict.useMine}</Button>
        </section>
      </div>
      <Field label={strings.conflict.merged} hint={strings.conflict.hint} fault={fault}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="code"
            rows={8}
            spellcheck={false}
            value={merged}
            onInput={(event) => setMerged(event.currentTarget.value)}
          />
        )}
      </Field>
      <footer>
        <Button onClick={close}>{strings.cancel}</Button>
        <Button kind="primary" disabledReason={fault} onClick={() => onTake(merged)}>
          {strings.conflict.accept}
        </Button>
      </footer>
    </Dialog>
  );
}
