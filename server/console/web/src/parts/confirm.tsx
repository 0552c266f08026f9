// Confirmation of an irreversible action: it lists the effects, names the count on the button, and focuses Cancel.

import type { ComponentChildren } from "preact";
import type { Failure } from "../api/http.ts";
import { Button } from "./controls.tsx";
import { Dialog } from "./dialog.tsx";
import { ChangeFault, outcomeOf, useSave } from "./save.tsx";
import { failureMessage } from "./states.tsx";
import { useUnsaved } from "./unsaved.tsx";
import { strings } from "../strings.ts";

/** The server's refusal, where no field shows it; `isRead` if the request changes nothing. */
export function ErrorMessage({ failure, isRead = false }: { failure: Failure | undefined; isRead?: boolean }) {
  if (!failure) return null;
  return (
    <p class="fault" role="alert">
      <bdi dir="ltr">{failureMessage(failure)}</bdi> {!isRead && outcomeOf(failure)}
    </p>
  );
}

interface ConfirmProps<T> {
  title: string;
  size?: "narrow" | "wide";
  /** The label of the button; without one there is no button yet. */
  label: string | undefined;
  kind?: "primary" | "danger";
  /** Sends the action. Returns false to keep the dialog open; throws the server's refusal. */
  act: () => Promise<T | false>;
  /** The result of the action, if it happened: asked after a lost response. */
  find: (() => Promise<T | false | undefined>) | undefined;
  /** Whether the action changes nothing, such as a preview. */
  isRead?: boolean;
  onDone: (result: T) => void;
  /** Whether it contains text that the user typed. */
  isUnsaved?: boolean;
  onClose: () => void;
  /** The effects; a function where a field may show the refusal itself. */
  children: ComponentChildren | ((failure: Failure | undefined) => { shown: ComponentChildren; hasFieldError: boolean });
}

export function Confirm<T>(props: ConfirmProps<T>) {
  const { title, size = "wide", label, kind = "danger", act, find, isRead = false, onDone, isUnsaved = false, onClose, children } = props;
  const close = useUnsaved(isUnsaved, [], onClose);
  const save = useSave();
  const submit = (event: Event) => {
    event.preventDefault();
    if (save.isBusy || label === undefined) return;
    void save.run<T | false>({
      send: act,
      find,
      onStored: (result) => {
        if (result === false) return;
        onDone(result);
        onClose();
      },
    });
  };
  const { shown, hasFieldError } =
    typeof children === "function" ? children(save.failure) : { shown: children, hasFieldError: false };
  return (
    <Dialog title={title} size={size} onClose={close}>
      <form onSubmit={submit}>
        {shown}
        {!hasFieldError && (isRead ? <ErrorMessage failure={save.failure} isRead /> : <ChangeFault save={save} />)}
        <footer>
          <Button onClick={close} autofocus>
            {strings.cancel}
          </Button>
          {label !== undefined && (
            <Button kind={kind} type="submit" isBusy={save.isBusy}>
              {label}
            </Button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}
