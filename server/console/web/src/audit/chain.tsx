import { useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { type Failure, api, asFailure } from "../api/http.ts";
import type { VerifiedAccess, Workspace } from "../api/types.ts";
import { Button } from "../parts/controls.tsx";
import { sentence, sentenceOf } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { words } from "../words.ts";

/** What a check has found so far. */
interface Found {
  rows: number;
  answer: VerifiedAccess;
  at: string;
  isRunning: boolean;
}

/** Whether the chain is as it was written: said when it was checked, and by how much. */
export function Chain({ workspace }: { workspace: Workspace }) {
  const [found, set] = useState<Found>();
  const [failure, setFailure] = useState<Failure>();
  const verify = async () => {
    setFailure(undefined);
    try {
      let rows = 0;
      let next: string | undefined;
      do {
        const answer: VerifiedAccess = (await api<VerifiedAccess>(at.verify(workspace.org_id, next))).data;
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
        <bdi>{failure ? sentenceOf(failure) : told(found)}</bdi>{" "}
        {found && !found.isRunning && (
          <span class="quiet">
            <Time at={found.at} />
          </span>
        )}
      </p>
      <Button isBusy={found?.isRunning ?? false} onClick={() => void verify()}>
        {words.chain.verify}
      </Button>
    </div>
  );
}

function told(found: Found | undefined): string {
  if (!found) return words.chain.what;
  const { rows, answer, isRunning } = found;
  if (!answer.intact) return `${words.chain.broken}: ${sentence(answer.fault ?? "")}`;
  if (isRunning) return words.chain.running(rows);
  return `${words.chain.intact(rows, answer.last_seq)}${words.chain.waiting(answer.waiting_rows)}`;
}
