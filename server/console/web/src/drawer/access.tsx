import { useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { AuditRow, Workspace } from "../api/types.ts";
import { Select } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { ErrorNotice } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Time } from "../parts/time.tsx";
import { strings } from "../strings.ts";

interface AccessProps {
  workspace: Workspace;
  id: string;
  isOpen?: boolean;
}

/** The audit log of one memory. Loads when opened. */
export function Access({ workspace, id, isOpen = false }: AccessProps) {
  const [open, set] = useState(isOpen);
  return (
    <details open={isOpen} onToggle={(event) => set(event.currentTarget.open)}>
      <summary>
        <h3>{strings.access.title}</h3>
      </summary>
      {open && <Rows workspace={workspace} id={id} />}
    </details>
  );
}

function Rows({ workspace, id }: { workspace: Workspace; id: string }) {
  const [callers, setCallers] = useState("");
  const pages = usePages<AuditRow>(endpoint.accessOf(workspace.id, id, { callers, limit: 20 }));
  if (pages.failure) return <ErrorNotice failure={pages.failure} />;
  return (
    <div>
      <Select label={strings.callers.title} value={callers} options={strings.callers.all} onChange={setCallers} />
      {pages.rows?.length === 0 && <p class="quiet">{strings.access.nothingMatches}</p>}
      <Earlier pages={pages} />
      <ul class="accesses">
        {pages.rows?.map((row) => (
          <li key={row.seq}>
            <span>
              {strings.access.did(row.action)}
              <span class="quiet">
                {" "}
                <Stored>{row.subject}</Stored>, {row.role}
                {row.memories[0] && row.memories[0].version > 0 && `, ${strings.memory.version(row.memories[0].version)}`}
              </span>
            </span>
            <Time at={row.at} />
          </li>
        ))}
      </ul>
      <More pages={pages} />
    </div>
  );
}
