import { useState } from "preact/hooks";
import { at, restoreMemory } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { usePages } from "../api/pages.ts";
import { workspaceChanged } from "../api/resource.ts";
import type { Memory, MemoryVersion, Workspace } from "../api/types.ts";
import { Button, Select } from "../parts/controls.tsx";
import { Diff } from "../parts/diff.tsx";
import { say } from "../parts/dialog.tsx";
import { Refused, sentenceOf } from "../parts/states.tsx";
import { Time, short } from "../parts/time.tsx";
import { words } from "../words.ts";

interface HistoryProps {
  workspace: Workspace;
  memory: Memory;
  canEdit: boolean;
}

/** What the memory said before; any two versions beside each other. Nothing is asked for before it is opened. */
export function History({ workspace, memory, canEdit }: HistoryProps) {
  const [isOpen, open] = useState(false);
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        <h3>{words.history.title}</h3>
        <span class="quiet">{words.memory.version(memory.version)}</span>
      </summary>
      {isOpen && <Versions workspace={workspace} memory={memory} canEdit={canEdit} />}
    </details>
  );
}

function Versions({ workspace, memory, canEdit }: HistoryProps) {
  const pages = usePages<MemoryVersion>(at.history(workspace.id, memory.id));
  const [chosen, choose] = useState<{ from?: number; to?: number }>({});
  const [failure, setFailure] = useState<Failure>();
  if (pages.failure) return <Refused failure={pages.failure} />;
  const versions = pages.rows ?? [];
  const to = versions.find((each) => each.version === chosen.to) ?? versions[0];
  const from = versions.find((each) => each.version === chosen.from) ?? versions[1];
  const restore = async (version: number) => {
    try {
      const { data } = await restoreMemory(workspace.id, memory.id, version, memory.version);
      say(words.history.restored(version, data.version));
      workspaceChanged(workspace.id);
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const options = versions.map((each) => [String(each.version), words.history.option(each.version, short(each.written_at))] as const);
  return (
    <div class="history">
      <ol>
        {versions.map((each) => (
          <li key={each.version}>
            <span>
              {words.history.version(each.version)} <Time at={each.written_at} />
              {each.current && <span class="quiet"> {words.history.current}</span>}
            </span>
            <span class="quiet">{words.memory.sourceOf(each.source, each.role)}</span>
            {canEdit && !each.current && (
              <Button kind="quiet" onClick={() => void restore(each.version)}>
                {words.history.restore(each.version)}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {pages.hasMore && (
        <Button kind="quiet" onClick={pages.more}>
          {words.more}
        </Button>
      )}
      {failure && (
        <p class="fault" role="alert">
          {sentenceOf(failure)}
        </p>
      )}
      {from && to && (
        <>
          <div class="compared">
            <Select
              label={words.history.from}
              value={String(from.version)}
              options={options}
              onChange={(version) => choose({ ...chosen, from: Number(version) })}
            />
            <span aria-hidden="true">→</span>
            <Select
              label={words.history.to}
              value={String(to.version)}
              options={options}
              onChange={(version) => choose({ ...chosen, to: Number(version) })}
            />
          </div>
          <Diff from={from.content} to={to.content} />
        </>
      )}
    </div>
  );
}
