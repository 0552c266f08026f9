import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Confirm } from "../parts/confirm.tsx";
import { Field } from "../parts/controls.tsx";
import { faultOf } from "../parts/states.tsx";
import { words } from "../words.ts";

interface RedactionProps {
  /** How many memories are taken out. */
  count: number;
  /** What goes, what stays, who will notice. */
  children: ComponentChildren;
  /** Takes them out. Gives false when there is more to say before the dialog closes. */
  redact: (reason: string) => Promise<void | boolean>;
  onClose: () => void;
}

/** Asks before memories are taken out for good: only with a reason, and named by their count. */
export function Redaction({ count, children, redact, onClose }: RedactionProps) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const act = async () => {
    const given = reason.trim();
    setMissing(given === "");
    return given === "" ? false : redact(given);
  };
  return (
    <Confirm title={words.redact.title(count)} label={words.redact.do(count)} act={act} onClose={onClose}>
      {(failure) => {
        const fault = isMissing && reason.trim() === "" ? words.redact.missing : faultOf(failure, "reason");
        const shown = (
          <>
            {children}
            <Field label={words.redact.reason} hint={words.redact.reasonHint} fault={fault}>
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
        return { shown, isTold: fault !== undefined };
      }}
    </Confirm>
  );
}
