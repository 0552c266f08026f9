import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Confirm } from "../parts/confirm.tsx";
import { Field } from "../parts/controls.tsx";
import { fieldError } from "../parts/states.tsx";
import { strings } from "../strings.ts";

interface RedactDialogProps<T> {
  /** How many memories are redacted. */
  count: number;
  /** The effects: deleted, retained, affected readers. */
  children: ComponentChildren;
  /** Redacts them. Returns false to keep the dialog open. */
  redact: (reason: string) => Promise<T | false>;
  /** The result of the redaction, if it happened. */
  find: () => Promise<T | false | undefined>;
  onDone: (result: T) => void;
  onClose: () => void;
}

/** Confirms a redaction: requires a reason and names the count. */
export function RedactDialog<T>({ count, children, redact, find, onDone, onClose }: RedactDialogProps<T>) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const act = async () => {
    const given = reason.trim();
    setMissing(given === "");
    return given === "" ? false : redact(given);
  };
  return (
    <Confirm
      title={strings.redact.title(count)}
      label={strings.redact.do(count)}
      act={act}
      find={find}
      onDone={onDone}
      isUnsaved={reason !== ""}
      onClose={onClose}
    >
      {(failure) => {
        const fault = isMissing && reason.trim() === "" ? strings.redact.missing : fieldError(failure, "reason");
        const shown = (
          <>
            {children}
            <Field label={strings.redact.reason} hint={strings.redact.reasonHint} fault={fault}>
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
