// Redacting a memory with a reason, or deleting it as its author. The dialog lists the effects first and focuses Cancel.

import { deleteMemory, endpoint, redactMemory, dryRunRedaction } from "../api/calls.ts";
import { api } from "../api/http.ts";
import { useResource, invalidateWorkspace } from "../api/resource.ts";
import { useDryRun } from "../api/dry-run.ts";
import type { Memory, ReachResponse, Tombstone, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { showToast } from "../parts/dialog.tsx";
import { isGone } from "../parts/save.tsx";
import { Content } from "../parts/text.tsx";
import { firstReaders, otherReaders, readersPath } from "../parts/readers.ts";
import { invalidateTree } from "../tree/store.ts";
import { strings } from "../strings.ts";
import { RedactDialog } from "./redact-dialog.tsx";

/** How many characters of the content the dialog shows. */
const SHOWN = 280;
/** How many affected readers the dialog names. */
const NAMED = 4;

interface MemoryDialogProps {
  workspace: Workspace;
  memory: Memory;
  onClose: () => void;
}

export function Redact({ workspace, memory, onClose }: MemoryDialogProps) {
  const dryRun = useDryRun(memory.id, (signal) => dryRunRedaction(workspace.id, memory.id, signal));
  const readers = dryRun.data?.readers ?? [];
  const redact = async (reason: string) => {
    await redactMemory(workspace.id, memory.id, { reason });
    return true as const;
  };
  // a tombstone for readers, absent for everyone else
  const find = async () => {
    const read = api<Memory | Tombstone>(endpoint.memory(workspace.id, memory.id));
    return (await isGone(read)) || "is_redacted" in (await read).data ? (true as const) : undefined;
  };
  return (
    <RedactDialog count={1} redact={redact} find={find} onDone={() => afterRemoval(workspace, strings.redact.done(1))} onClose={onClose}>
      <FirstLines memory={memory} />
      <div class="effects">
        <section>
          <h3>{strings.redact.deleted}</h3>
          <ul>
            {strings.redact.deletedParts(memory.version - 1).map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </section>
        <section>
          <h3>{strings.redact.retained}</h3>
          <ul>
            {strings.redact.retainedParts.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </section>
      </div>
      <AffectedReaders workspace={workspace} memory={memory} />
      {dryRun.data && (
        <p>
          <bdi dir="ltr">{strings.redact.readers(readers, dryRun.data.runs?.length ?? 0, dryRun.data.readers_partial === true)}</bdi>
        </p>
      )}
    </RedactDialog>
  );
}

/** Deletes one memory, after explaining the difference from a redaction. */
export function DeleteMemory({ workspace, memory, onClose }: MemoryDialogProps) {
  return (
    <Confirm
      title={strings.deletion.title}
      label={strings.deletion.do}
      act={async () => (await deleteMemory(workspace.id, memory.id)) && true}
      find={async () => (await isGone(api(endpoint.memory(workspace.id, memory.id)))) || undefined}
      onDone={() => afterRemoval(workspace, strings.deletion.done)}
      onClose={onClose}
    >
      <FirstLines memory={memory} />
      <p>{strings.deletion.what}</p>
      <AffectedReaders workspace={workspace} memory={memory} />
    </Confirm>
  );
}

/** Reloads everything that shows the memory, and the counts of the tree. */
function afterRemoval(workspace: Workspace, message: string): void {
  showToast(message);
  invalidateWorkspace(workspace.id);
  invalidateTree();
}

function FirstLines({ memory }: { memory: Memory }) {
  const isCut = memory.content.length > SHOWN;
  return (
    <blockquote class="first-lines">
      <Content text={isCut ? `${memory.content.slice(0, SHOWN)}…` : memory.content} />
    </blockquote>
  );
}

/** The workspaces that can read it now and will not any more. */
function AffectedReaders({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  // this call does not cover a memory that is bound to one team
  const isAsked = memory.team === undefined || memory.team === null;
  const reach = useResource<ReachResponse>(isAsked ? readersPath(memory.workspace_id, memory.scope) : undefined);
  if (!reach.data) return null;
  const count = otherReaders(reach.data, memory.scope);
  const names = firstReaders(reach.data, memory.scope).slice(0, count <= NAMED ? NAMED : NAMED - 1).map((row) => row.name);
  return (
    <p>
      <bdi dir="ltr">{strings.redact.affected(memory.workspace_name, names, count, workspace.id === memory.workspace_id)}</bdi>
    </p>
  );
}
