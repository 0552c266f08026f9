import { endpoint, runProcessor } from "../api/calls.ts";
import { useDryRun } from "../api/dry-run.ts";
import { api } from "../api/http.ts";
import { invalidate } from "../api/resource.ts";
import type { PlannedFact, ProcessorRun, Workspace } from "../api/types.ts";
import { Confirm, ErrorMessage } from "../parts/confirm.tsx";
import { Button } from "../parts/controls.tsx";
import { Dialog, showToast } from "../parts/dialog.tsx";
import { Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { strings } from "../strings.ts";
import { RunFigures } from "./processor.tsx";

interface RunDialogProps {
  workspace: Workspace;
  name: string;
  /** Whether it only shows the effect. */
  isDryRun: boolean;
  onClose: () => void;
}

/** What a run would do now; and the run, if it is wanted. */
export function RunDialog({ workspace, name, isDryRun, onClose }: RunDialogProps) {
  const dryRun = useDryRun(name, (signal) => runProcessor(workspace.id, name, true, signal));
  const effect = (
    <section class="run-effect" role="status" aria-label={strings.processors.effect}>
      <h3>{strings.processors.effect}</h3>
      {dryRun.failure && <ErrorMessage failure={dryRun.failure} isRead />}
      {dryRun.isLoading && <Skeleton rows={2} height={32} />}
      {dryRun.data && <Effect run={dryRun.data} />}
    </section>
  );
  if (isDryRun) {
    return (
      <Dialog title={strings.processors.dryRun} onClose={onClose}>
        {effect}
        <footer>
          <Button onClick={onClose} autofocus>
            {strings.close}
          </Button>
        </footer>
      </Dialog>
    );
  }
  const startedAt = dryRun.data?.started_at;
  // the run that began after the dry run, if its response was lost
  const find = async () => {
    const { data } = await api<ProcessorRun[]>(endpoint.processorRuns(workspace.id, name, { limit: 1 }));
    const [last] = data;
    return last && startedAt !== undefined && last.started_at > startedAt && last.cause === "request" ? last : undefined;
  };
  return (
    <Confirm
      title={strings.processors.runTitle(name)}
      label={dryRun.data && labelOf(dryRun.data)}
      kind={dryRun.data && dryRun.data.rolled_back > 0 ? "danger" : "primary"}
      act={async () => (await runProcessor(workspace.id, name, false)).data}
      find={find}
      onDone={({ inserted, updated, rolled_back }) => {
        showToast(strings.processors.ran(inserted, updated, rolled_back));
        const own = `/workspaces/${workspace.id}/`;
        invalidate((path) => path.startsWith(`${own}processors`) || path.startsWith(`${own}memories`));
      }}
      onClose={onClose}
    >
      <p>{strings.processors.runText}</p>
      {effect}
    </Confirm>
  );
}

/** The button names the count of facts that change. */
function labelOf({ inserted, updated, rolled_back }: ProcessorRun): string {
  const changes = inserted + updated + rolled_back;
  return changes === 0 ? strings.processors.runNothing : strings.processors.runDo(changes);
}

function Effect({ run }: { run: ProcessorRun }) {
  const facts = run.facts ?? [];
  return (
    <>
      <p>
        <strong>{strings.processors.effectOf(run.inserted, run.updated, run.rolled_back)}</strong>.{" "}
        {strings.processors.readOf(run.read, run.grouped)}.
      </p>
      <RunFigures run={run} />
      {facts.length > 0 && (
        <>
          <p class="hint">{strings.processors.first}</p>
          <ul class="planned" tabIndex={0} aria-label={strings.processors.effect}>
            {facts.map((fact) => (
              <Planned key={`${fact.change} ${fact.dimensions.join("\n")}`} fact={fact} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Planned({ fact: { change, text, rows, confidence } }: { fact: PlannedFact }) {
  return (
    <li>
      <Stored>{text}</Stored>
      <p class="memory-facts">
        <span class={change === "rolled_back" ? "status late" : "status now"}>{strings.processors.changes[change] ?? change}</span>
        <span>{strings.processors.ofRows(rows)}</span>
        {confidence != null && <span>{strings.processors.confidence(confidence)}</span>}
      </p>
    </li>
  );
}
