// Confirmation of an irreversible action: it lists the effects, names the count on the button, and focuses Cancel.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Failure, asFailure } from "../api/http.ts";
import { Button } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";
import { outcomeOf } from "./save.tsx";
import { failureMessage } from "./states.tsx";
import { useUnsaved } from "./unsaved.tsx";
import { strings } from "../strings.ts";

/** The server's refusal, where no field shows it. */
export function ErrorMessage({ failure }: { failure: Failure | undefined }) {
  if (!failure) return null;
  return (
    <p class="fault" role="alert">
      <bdi dir="ltr">{failureMessage(failure)}</bdi> {outcomeOf(failure)}
    </p>
  );
}

interface ConfirmProps {
  title: string;
  size?: "narrow" | "wide";
  /** The label of the button; without one there is no button yet. */
  label: string | undefined;
  kind?: "primary" | "danger";
  /** Executes the action. Returns false to keep the dialog open; throws the server's refusal. */
  act: () => Promise<void | boolean>;
  /** Whether it contains text that the user typed. */
  isUnsaved?: boolean;
  onClose: () => void;
  /** The effects; a function where a field may show the refusal itself. */
  children: ComponentChildren | ((failure: Failure | undefined) => { shown: ComponentChildren; hasFieldError: boolean });
}

export function Confirm({ title, size = "wide", label, kind = "danger", act, isUnsaved = false, onClose, children }: ConfirmProps) {
  const close = useUnsaved(isUnsaved, [], onClose);
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
  const { shown, hasFieldError } = typeof children === "function" ? children(failure) : { shown: children, hasFieldError: false };
  return (
    <Dialog title={title} size={size} onClose={close}>
      <form onSubmit={(event) => void submit(event)}>
        {shown}
        {!hasFieldError && <ErrorMessage failure={failure} />}
        <footer>
          <Button onClick={close} autofocus>
            {strings.cancel}
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
