// Taking a memory out for good: redacting it with a reason, or deleting it as its author does. What goes, what stays and
// who will notice is said before; the focus starts on what changes nothing.

import { at, forgetMemory, redactMemory, tryRedaction } from "../api/calls.ts";
import { useResource, workspaceChanged } from "../api/resource.ts";
import { useTrial } from "../api/trial.ts";
import type { Memory, ReachAnswer, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { say } from "../parts/dialog.tsx";
import { Content } from "../parts/text.tsx";
import { treeChanged } from "../tree/store.ts";
import { words } from "../words.ts";
import { Redaction } from "./redaction.tsx";

/** How much of a content the dialog shows. */
const SHOWN = 280;
/** How many of those who will notice are named, at most. */
const NAMED = 4;

interface TakeOutProps {
  workspace: Workspace;
  memory: Memory;
  onClose: () => void;
}

/** Redacts one memory. */
export function Redact({ workspace, memory, onClose }: TakeOutProps) {
  const trial = useTrial(memory.id, (signal) => tryRedaction(workspace.id, memory.id, signal));
  const readers = (trial.data?.readers ?? []).map(({ name, reads }): [string, number] => [name, reads]);
  const redact = async (reason: string) => {
    await redactMemory(workspace.id, memory.id, { reason });
    taken(workspace, words.redact.done(1));
  };
  return (
    <Redaction count={1} redact={redact} onClose={onClose}>
      <FirstLines memory={memory} />
      <div class="effects">
        <section>
          <h3>{words.redact.gone}</h3>
          <ul>
            {words.redact.goes(memory.version - 1).map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </section>
        <section>
          <h3>{words.redact.stays}</h3>
          <ul>
            {words.redact.remains.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </section>
      </div>
      <Noticed workspace={workspace} memory={memory} />
      {trial.data && (
        <p>
          <bdi>{words.redact.readers(readers, trial.data.runs?.length ?? 0, trial.data.readers_partial === true)}</bdi>
        </p>
      )}
    </Redaction>
  );
}

/** Deletes one memory, saying how that differs from redacting it. */
export function Forget({ workspace, memory, onClose }: TakeOutProps) {
  const forget = async () => {
    await forgetMemory(workspace.id, memory.id);
    taken(workspace, words.forget.done);
  };
  return (
    <Confirm title={words.forget.title} label={words.forget.do} act={forget} onClose={onClose}>
      <FirstLines memory={memory} />
      <p>{words.forget.what}</p>
      <Noticed workspace={workspace} memory={memory} />
    </Confirm>
  );
}

/** It is gone: whatever shows it asks again, and the counts of the tree change. */
function taken(workspace: Workspace, said: string): void {
  say(said);
  workspaceChanged(workspace.id);
  treeChanged();
}

function FirstLines({ memory }: { memory: Memory }) {
  const isCut = memory.content.length > SHOWN;
  return (
    <blockquote class="first-lines">
      <Content text={isCut ? `${memory.content.slice(0, SHOWN)}…` : memory.content} />
    </blockquote>
  );
}

/** Who reads it now, and will not any more. */
function Noticed({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  // who reads what is bound to one team is not among the answers of this call
  const isAsked = memory.team === undefined || memory.team === null;
  const reach = useResource<ReachAnswer>(isAsked ? at.reach(memory.workspace_id) : undefined);
  if (!reach.data) return null;
  const readers = reach.data.read_by.filter((row) => row.scope === memory.scope && row.via !== "self");
  const names = readers.slice(0, readers.length <= NAMED ? NAMED : NAMED - 1).map((row) => row.name);
  return (
    <p>
      <bdi>{words.redact.noticed(memory.workspace_name, names, readers.length, workspace.id === memory.workspace_id)}</bdi>
    </p>
  );
}
