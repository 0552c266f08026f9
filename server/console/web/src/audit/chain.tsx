import { useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { type Failure, api, asFailure } from "../api/http.ts";
import type { AuditVerification, Workspace } from "../api/types.ts";
import { Button } from "../parts/controls.tsx";
import { asSentence, failureMessage } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { strings } from "../strings.ts";

/** Progress of a verification. */
interface Verification {
  rows: number;
  answer: AuditVerification;
  at: string;
  isRunning: boolean;
}

/** The state of the hash chain: when it was verified, and up to which row. */
export function Chain({ workspace }: { workspace: Workspace }) {
  const [verification, set] = useState<Verification>();
  const [failure, setFailure] = useState<Failure>();
  const verify = async () => {
    setFailure(undefined);
    try {
      let rows = 0;
      let next: string | undefined;
      do {
        const answer: AuditVerification = (await api<AuditVerification>(endpoint.verify(workspace.org_id, next))).data;
        rows += answer.sealed_rows;
        next = answer.intact ? (answer.next ?? undefined) : undefined;
        set({ rows, answer, at: new Date().toISOString(), isRunning: next !== undefined });
      } while (next !== undefined);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const isBroken = verification?.answer.intact === false;
  return (
    <div class={`chain ${isBroken ? "broken" : ""}`}>
      <p role="status">
        <bdi dir="ltr">{failure ? failureMessage(failure) : statusText(verification)}</bdi>{" "}
        {verification && !verification.isRunning && (
          <span class="quiet">
            <Time at={verification.at} />
          </span>
        )}
      </p>
      <Button isBusy={verification?.isRunning ?? false} onClick={() => void verify()}>
        {strings.chain.verify}
      </Button>
    </div>
  );
}

function statusText(verification: Verification | undefined): string {
  if (!verification) return strings.chain.description;
  const { rows, answer, isRunning } = verification;
  if (!answer.intact) return `${strings.chain.broken}: ${asSentence(answer.fault ?? "")}`;
  if (isRunning) return strings.chain.running(rows);
  return `${strings.chain.intact(rows, answer.last_seq)}${strings.chain.waiting(answer.waiting_rows)}`;
}
