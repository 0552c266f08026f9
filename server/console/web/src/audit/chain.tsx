import { useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { type Failure, api, asFailure } from "../api/http.ts";
import type { VerifiedAccess, Workspace } from "../api/types.ts";
import { Button } from "../parts/controls.tsx";
import { sentence, failureMessage } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { strings } from "../strings.ts";

/** Progress of a verification. */
interface Found {
  rows: number;
  answer: VerifiedAccess;
  at: string;
  isRunning: boolean;
}

/** The state of the hash chain: when it was verified, and up to which row. */
export function Chain({ workspace }: { workspace: Workspace }) {
  const [found, set] = useState<Found>();
  const [failure, setFailure] = useState<Failure>();
  const verify = async () => {
    setFailure(undefined);
    try {
      let rows = 0;
      let next: string | undefined;
      do {
        const answer: VerifiedAccess = (await api<VerifiedAccess>(endpoint.verify(workspace.org_id, next))).data;
        rows += answer.sealed_rows;
        next = answer.intact ? (answer.next ?? undefined) : undefined;
        set({ rows, answer, at: new Date().toISOString(), isRunning: next !== undefined });
      } while (next !== undefined);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const isBroken = found?.answer.intact === false;
  return (
    <div class={`chain ${isBroken ? "broken" : ""}`}>
      <p role="status">
        <bdi>{failure ? failureMessage(failure) : told(found)}</bdi>{" "}
        {found && !found.isRunning && (
          <span class="quiet">
            <Time at={found.at} />
          </span>
        )}
      </p>
      <Button isBusy={found?.isRunning ?? false} onClick={() => void verify()}>
        {strings.chain.verify}
      </Button>
    </div>
  );
}

function told(found: Found | undefined): string {
  if (!found) return strings.chain.description;
  const { rows, answer, isRunning } = found;
  if (!answer.intact) return `${strings.chain.broken}: ${sentence(answer.fault ?? "")}`;
  if (isRunning) return strings.chain.running(rows);
  return `${strings.chain.intact(rows, answer.last_seq)}${strings.chain.waiting(answer.waiting_rows)}`;
}
