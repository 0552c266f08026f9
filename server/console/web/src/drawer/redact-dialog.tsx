import type { ComponentChildren } from "preact";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
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
export function RedactDialog<T>({ count, redact, ...rest }: RedactDialogProps<T>) {
  return <ReasonDialog title={strings.redact.title(count)} label={strings.redact.do(count)} hint={strings.redact.reasonHint} act={redact} {...rest} />;
}
