import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { strings } from "../strings.ts";
import { Confirm } from "./confirm.tsx";
import { Field } from "./controls.tsx";
import { fieldError } from "./states.tsx";

interface ReasonDialogProps<T> {
  title: string;
  /** The label of the button; without one there is no button yet. */
  label: string | undefined;
  /** Where the reason is shown. */
  hint: string;
  /** The effects: deleted, retained, affected readers. */
  children: ComponentChildren;
  /** Sends the action with its reason. Returns false to keep the dialog open. */
  act: (reason: string) => Promise<T | false>;
  /** The result of the action, if it happened. */
  find: (reason: string) => Promise<T | false | undefined>;
  onDone: (result: T) => void;
  onClose: () => void;
}

/** Confirms an irreversible action that requires a reason. */
export function ReasonDialog<T>({ title, label, hint, children, act, find, onDone, onClose }: ReasonDialogProps<T>) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const send = async () => {
    const given = reason.trim();
    setMissing(given === "");
    return given === "" ? false : act(given);
  };
  return (
    <Confirm title={title} label={label} act={send} find={() => find(reason.trim())} onDone={onDone} isUnsaved={reason !== ""} onClose={onClose}>
      {(failure) => {
        const fault = isMissing && reason.trim() === "" ? strings.redact.missing : fieldError(failure, "reason");
        const shown = (
          <>
            {children}
            <Field label={strings.redact.reason} hint={hint} fault={fault}>
              {(attributes) => (
                <input
                  {...attributes}
                  type="text"
                  maxLength={500}
                  value={reason}
                  onInput={(event) => setReason(event.currentTarget.value)}
                />
              )}
            </Field>
          </>
        );
        return { shown, hasFieldError: fault !== undefined };
      }}
    </Confirm>
  );
}
