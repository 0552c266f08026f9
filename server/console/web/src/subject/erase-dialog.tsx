import { endpoint, erase } from "../api/calls.ts";
import { useDryRun } from "../api/dry-run.ts";
import { api } from "../api/http.ts";
import { invalidateAll } from "../api/resource.ts";
import type { Receipt, Workspace } from "../api/types.ts";
import { ErrorMessage } from "../parts/confirm.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { Skeleton, asSentence } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { strings } from "../strings.ts";

interface EraseDialogProps {
  workspace: Workspace;
  subject: string;
  onErased: (receipt: Receipt) => void;
  onClose: () => void;
}

/** Counts what an erasure would remove in the whole org, and what stays, before it is made. */
export function EraseDialog({ workspace: { org_id }, subject, onErased, onClose }: EraseDialogProps) {
  const dryRun = useDryRun(subject, (signal) => erase({ org_id, subject, reason: "to be said" }, true, signal));
  const effect = dryRun.data;
  // the receipt of an attempt whose response was lost
  const find = async (reason: string) => {
    const { data } = await api<Receipt[]>(endpoint.erasures({ org_id }));
    return data.find((each) => each.erased === "subject" && each.reason === reason && effect && each.erased_at > effect.erased_at);
  };
  return (
    <ReasonDialog
      title={strings.subject.title}
      label={effect && strings.subject.do(effect.memories, effect.episodes, effect.entries)}
      hint={strings.subject.reasonHint}
      act={async (reason) => (await erase({ org_id, subject, reason }, false)).data}
      find={find}
      onDone={(receipt) => {
        invalidateAll();
        onErased(receipt);
      }}
      onClose={onClose}
    >
      <p>
        <strong>
          <Stored>{subject}</Stored>
        </strong>
      </p>
      <ErrorMessage failure={dryRun.failure} isRead />
      {dryRun.isLoading && <Skeleton rows={3} height={24} />}
      {effect && (
        <div class="effects" role="status">
          <section>
            <h3>{strings.subject.what}</h3>
            <ul>
              {[...strings.subject.gone(effect), strings.subject.also].map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          </section>
          <section>
            <h3>{strings.subject.stays}</h3>
            <ul>
              {strings.subject.staying.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          </section>
          {effect.older_backups && (
            <p class="hint">
              <bdi dir="ltr">{asSentence(effect.older_backups)}</bdi>
            </p>
          )}
        </div>
      )}
    </ReasonDialog>
  );
}
