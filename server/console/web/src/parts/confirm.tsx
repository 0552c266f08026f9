// What cannot be undone is asked for in one way: what will be is said before, the count is on the button, and the focus
// starts on what changes nothing.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Failure, asFailure } from "../api/http.ts";
import { Button } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";
import { sentenceOf } from "./states.tsx";
import { words } from "../words.ts";

/** What the server refused, where no field says it. */
export function Fault({ failure }: { failure: Failure | undefined }) {
  if (!failure) return null;
  return (
    <p class="fault" role="alert">
      <bdi>{sentenceOf(failure)}</bdi>
    </p>
  );
}

interface ConfirmProps {
  title: string;
  size?: "narrow" | "wide";
  /** The words on the button; without them there is nothing to do yet. */
  label: string | undefined;
  kind?: "first" | "danger";
  /** Does it. Gives false when there is more to say before the dialog closes; throws what the server refused. */
  act: () => Promise<void | boolean>;
  onClose: () => void;
  /** What will be; a function where it shows itself what was refused, and says whether it did. */
  children: ComponentChildren | ((failure: Failure | undefined) => { shown: ComponentChildren; isTold: boolean });
}

/** A question before something is done. */
export function Confirm({ title, size = "wide", label, kind = "danger", act, onClose, children }: ConfirmProps) {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy || label === undefined) return;
    setBusy(true);
    setFailure(undefined);
    try {
      if ((await act()) === false) setBusy(false);
      else onClose();
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const { shown, isTold } = typeof children === "function" ? children(failure) : { shown: children, isTold: false };
  return (
    <Dialog title={title} size={size} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {shown}
        {!isTold && <Fault failure={failure} />}
        <footer>
          <Button onClick={onClose} autofocus>
            {words.cancel}
          </Button>
          {label !== undefined && (
            <Button kind={kind} type="submit" isBusy={isBusy}>
              {label}
            </Button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
