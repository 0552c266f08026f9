import { useState } from "preact/hooks";
import { words } from "../words.ts";
import { Button, Field } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";
import { Diff } from "./diff.tsx";

interface ConflictProps {
  /** What was there when the editing began. */
  base: string;
  /** What is there now; null when it is gone. */
  theirs: { version: number; text: string } | null;
  mine: string;
  /** What is wrong with a text, if anything. */
  check?: (text: string) => string | undefined;
  onClose: () => void;
  onTake: (merged: string) => void;
}

/** Somebody was faster: theirs, yours and the base beside each other, and a field for what is to be. */
export function Conflict({ base, theirs, mine, check, onClose, onTake }: ConflictProps) {
  const other = theirs?.text ?? "";
  const [merged, setMerged] = useState(mine);
  const fault = check?.(merged);
  return (
    <Dialog title={words.conflict.title} onClose={onClose}>
      <p>{theirs ? words.conflict.changed(theirs.version) : words.conflict.dropped}</p>
      <div class="three">
        <section>
          <h3>{words.conflict.theirs}</h3>
          <Diff from={base} to={other} />
          <Button onClick={() => setMerged(other)}>{words.conflict.takeTheirs}</Button>
        </section>
        <section>
          <h3>{words.conflict.mine}</h3>
          <Diff from={base} to={mine} />
          <Button onClick={() => setMerged(mine)}>{words.conflict.takeMine}</Button>
        </section>
      </div>
      <Field label={words.conflict.merged} hint={words.conflict.hint} fault={fault}>
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
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button kind="first" blocked={fault} onClick={() => onTake(merged)}>
          {words.conflict.goOn}
        </Button>
      </footer>
    </Dialog>
  );
}
