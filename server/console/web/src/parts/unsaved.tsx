// Text that the user typed and that is not saved. Nothing discards it without a question: no Escape, other row, Back or
// reload.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { setLeaveGuard } from "../route.ts";
import { strings } from "../strings.ts";
import { Button } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";

interface Draft {
  /** The parameters of the address that its form depends on, besides the path. */
  parameters: readonly string[];
}

const drafts = new Set<Draft>();
let ask: (discard: (() => void) | undefined) => void = () => {};

/**
 * Guards the text of a form while it is mounted.
 *
 * @param parameters the form stays while these parameters of the address, and the path, stay
 * @param onClose closes the form
 * @returns closes the form, after a question if it has unsaved text
 */
export function useUnsaved(isUnsaved: boolean, parameters: readonly string[], onClose: () => void): () => void {
  const draft = useRef<Draft>({ parameters }).current;
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    drafts.add(draft);
    return () => void drafts.delete(draft);
  }, [isUnsaved]);
  const discard = () => {
    drafts.delete(draft);
    onClose();
  };
  return () => (isUnsaved ? ask(discard) : onClose());
}

/** Whether any form has unsaved text. */
export const hasUnsaved = () => drafts.size > 0;

const isLost = (from: URL, to: URL) => ({ parameters }: Draft) =>
  from.pathname !== to.pathname || parameters.some((name) => from.searchParams.get(name) !== to.searchParams.get(name));

setLeaveGuard((from, to, proceed) => {
  const lost = [...drafts].filter(isLost(from, to));
  if (lost.length === 0) return true;
  ask(() => {
    for (const draft of lost) drafts.delete(draft);
    proceed();
  });
  return false;
});

addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});

/** The question whether to discard unsaved text. */
export function UnsavedDialog() {
  const [discard, set] = useState<{ run: () => void }>();
  ask = (run) => set(run && { run });
  if (!discard) return null;
  const end = () => set(undefined);
  return (
    <Dialog title={strings.unsaved.title} size="narrow" onClose={end}>
      <p>{strings.unsaved.text}</p>
      <footer>
        <Button onClick={end} autofocus>
          {strings.unsaved.stay}
        </Button>
        <Button
          kind="danger"
          onClick={() => {
            end();
            discard.run();
          }}
        >
          {strings.unsaved.discard}
        </Button>
      </footer>
    </Dialog>
  );
}
