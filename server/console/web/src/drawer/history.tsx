import { useState } from "preact/hooks";
import { endpoint, restoreMemory } from "../api/calls.ts";
import { api } from "../api/http.ts";
import { usePages } from "../api/pages.ts";
import { invalidateWorkspace } from "../api/resource.ts";
import type { Memory, MemoryVersion, Workspace } from "../api/types.ts";
import { Button, Select } from "../parts/controls.tsx";
import { Diff } from "../parts/diff.tsx";
import { showToast } from "../parts/dialog.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { ChangeFault, useSave } from "../parts/save.tsx";
import { ErrorNotice } from "../parts/states.tsx";
import { Time, short } from "../parts/time.tsx";
import { strings } from "../strings.ts";

interface HistoryProps {
  workspace: Workspace;
  memory: Memory;
  canEdit: boolean;
}

/** The versions of a memory, any two compared. Loads when opened. */
export function History({ workspace, memory, canEdit }: HistoryProps) {
  const [isOpen, open] = useState(false);
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        <h3>{strings.history.title}</h3>
        <span class="quiet">{strings.memory.version(memory.version)}</span>
      </summary>
      {isOpen && <Versions workspace={workspace} memory={memory} canEdit={canEdit} />}
    </details>
  );
}

function Versions({ workspace, memory, canEdit }: HistoryProps) {
  const pages = usePages<MemoryVersion>(endpoint.history(workspace.id, memory.id));
  const [chosen, choose] = useState<{ from?: number; to?: number }>({});
  const save = useSave();
  if (pages.failure) return <ErrorNotice failure={pages.failure} />;
  const versions = pages.all ?? [];
  const to = versions.find((each) => each.version === chosen.to) ?? versions[0];
  const from = versions.find((each) => each.version === chosen.from) ?? versions[1];
  const restore = ({ version, content }: MemoryVersion) => {
    if (save.isBusy) return;
    void save.run({
      send: async () => (await restoreMemory(workspace.id, memory.id, version, memory.version)).data.version,
      find: async () => {
        const { data } = await api<Memory>(endpoint.memory(workspace.id, memory.id));
        return data.version === memory.version + 1 && data.content === content ? data.version : undefined;
      },
      onStored: (current) => {
        showToast(strings.history.restored(version, current));
        invalidateWorkspace(workspace.id);
      },
    });
  };
  const options = versions.map((each) => [String(each.version), strings.history.option(each.version, short(each.written_at))] as const);
  return (
    <div class="history">
      <Earlier pages={pages} />
      <ol>
        {pages.rows?.map((each) => (
          <li key={each.version}>
            <span>
              {strings.history.version(each.version)} <Time at={each.written_at} />
              {each.current && <span class="quiet"> {strings.history.current}</span>}
            </span>
            <span class="quiet">{strings.memory.sourceOf(each.source, each.role)}</span>
            {canEdit && !each.current && (
              <Button kind="quiet" onClick={() => restore(each)}>
                {strings.history.restore(each.version)}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <More pages={pages} />
      <ChangeFault save={save} />
      {from && to && (
        <>
          <div class="compared">
            <Select
              label={strings.history.from}
              value={String(from.version)}
              options={options}
              onChange={(version) => choose({ ...chosen, from: Number(version) })}
            />
            <span aria-hidden="true">→</span>
            <Select
              label={strings.history.to}
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
