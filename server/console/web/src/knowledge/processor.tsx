import { useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { Processor, ProcessorRun, Workspace } from "../api/types.ts";
import { Button, Link } from "../parts/controls.tsx";
import { Facts } from "../parts/facts.tsx";
import { More } from "../parts/pager.tsx";
import { SideDrawer } from "../parts/side-drawer.tsx";
import { ErrorNotice, Skeleton, asSentence } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import { knowledgePath } from "./paths.ts";
import { RunDialog } from "./run-dialog.tsx";
import { NextRun } from "./processors.tsx";

interface ProcessorProps {
  workspace: Workspace;
  name: string;
  /** Undefined where the workspace has none of this name. */
  processor: Processor | undefined;
  canRun: boolean;
  onClose: () => void;
}

/** One processor: what it does, when, and its last runs. */
export function ProcessorDrawer({ workspace, name, processor, canRun, onClose }: ProcessorProps) {
  const [asking, ask] = useState<"dry_run" | "run">();
  return (
    <SideDrawer label={strings.processors.processor} title={name} onClose={onClose}>
      {!processor && <p class="hint">{strings.states.notFound}</p>}
      {processor && (
        <>
          {processor.active && canRun && (
            <div class="actions">
              <Button onClick={() => ask("dry_run")}>{strings.processors.dryRun}</Button>
              <Button onClick={() => ask("run")}>{strings.processors.runNow}</Button>
            </div>
          )}
          <About workspace={workspace} processor={processor} />
          {processor.active && <Runs workspace={workspace} name={name} />}
          <details open={!processor.active}>
            <summary>
              <h3>{strings.processors.definition}</h3>
            </summary>
            <Snippet text={JSON.stringify(processor.definition, null, 2)} label={strings.processors.definition} />
          </details>
        </>
      )}
      {asking && <RunDialog workspace={workspace} name={name} isDryRun={asking === "dry_run"} onClose={() => ask(undefined)} />}
    </SideDrawer>
  );
}

/** The fields of a definition that the drawer names. A definition has only those that it was given. */
interface Definition {
  description?: string;
  dimensions?: Array<{ name: string }>;
  schedule: string;
  min_rows: number;
  kind: string;
  scope: string;
  namespace: string;
}

/** The defaults of docs/spec/processors.md. */
const DEFAULTS = { schedule: "0 */6 * * *", min_rows: 3, kind: "pattern", scope: "LOCAL", namespace: "general" };

function About({ workspace, processor }: { workspace: Workspace; processor: Processor }) {
  const definition: Definition = { ...DEFAULTS, ...processor.definition };
  const { scope, kind, namespace } = definition;
  const facts = new URLSearchParams({ source: "processor", scope, kind, namespace });
  return (
    <>
      {definition.description && (
        <p>
          <Stored>{definition.description}</Stored>
        </p>
      )}
      <Facts
        facts={[
          [
            strings.processors.collection,
            <Link to={knowledgePath(workspace.id, "collections", { collection: processor.collection })}>{processor.collection}</Link>,
          ],
          [strings.processors.state, processor.active ? strings.processors.states.active : strings.processors.states.builtIn],
          [strings.processors.schedule, <code>{definition.schedule}</code>],
          [strings.processors.next, processor.next_run_at && <NextRun at={processor.next_run_at} />],
          [strings.processors.last, processor.last_run_at ? <Time at={processor.last_run_at} /> : processor.active && strings.processors.never],
          [strings.processors.dimensions, definition.dimensions?.map(({ name }) => name).join(", ")],
          [strings.processors.minimum, strings.processors.atLeast(definition.min_rows)],
          [
            strings.processors.kind,
            <Link to={`${workspacePath(workspace.id)}?${facts}`}>
              <Stored>{[scope, kind, namespace].join(", ")}</Stored>
            </Link>,
          ],
          [strings.processors.revision, processor.active && processor.revision],
        ]}
      />
    </>
  );
}

const FIGURES = Object.keys(strings.processors.figures) as (keyof typeof strings.processors.figures)[];

/** The last runs, newest first. */
function Runs({ workspace, name }: { workspace: Workspace; name: string }) {
  const runs = usePages<ProcessorRun>(endpoint.processorRuns(workspace.id, name));
  return (
    <section aria-label={strings.processors.runs} aria-busy={runs.isLoading}>
      <h3>{strings.processors.runs}</h3>
      {runs.failure && <ErrorNotice failure={runs.failure} />}
      {!runs.rows && !runs.failure && <Skeleton rows={2} height={48} />}
      {runs.rows?.length === 0 && <p class="hint">{strings.processors.noRuns}</p>}
      <ol class="processor-runs">
        {runs.rows?.map((run) => (
          <li key={run.id ?? run.started_at}>
            <p class="memory-facts">
              <Time at={run.started_at} />
              <span>{strings.processors.cause[run.cause]}</span>
              <span>{strings.processors.milliseconds(run.duration_ms)}</span>
            </p>
            <RunFigures run={run} />
          </li>
        ))}
      </ol>
      <More pages={runs} />
    </section>
  );
}

/** The figures of a run, and why it ended before its work was done. */
export function RunFigures({ run }: { run: ProcessorRun }) {
  return (
    <>
      <dl class="run-figures">
        {FIGURES.map((name) => (
          <div key={name} class={run[name] === 0 ? "zero" : ""}>
            <dt>{strings.processors.figures[name]}</dt>
            <dd>{run[name].toLocaleString()}</dd>
          </div>
        ))}
      </dl>
      {run.cut_texts > 0 && <p class="hint">{strings.processors.cut(run.cut_texts)}</p>}
      {run.capped && <p class="status late">{strings.processors.capped[run.capped] ?? run.capped}</p>}
      {run.error && (
        <p class="fault">
          <bdi dir="ltr">{asSentence(run.error)}</bdi>
        </p>
      )}
    </>
  );
}
