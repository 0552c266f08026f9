import { useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import type { AccessRow, Workspace } from "../api/types.ts";
import { Button } from "../parts/controls.tsx";
import { Refused } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { words } from "../words.ts";

interface AccessProps {
  workspace: Workspace;
  id: string;
  isOpen?: boolean;
}

/** Who read, wrote and redacted one memory, and when. Nothing is asked for before it is opened. */
export function Access({ workspace, id, isOpen = false }: AccessProps) {
  const [open, set] = useState(isOpen);
  return (
    <details open={isOpen} onToggle={(event) => set(event.currentTarget.open)}>
      <summary>
        <h3>{words.access.title}</h3>
      </summary>
      {open && <Rows workspace={workspace} id={id} />}
    </details>
  );
}

function Rows({ workspace, id }: { workspace: Workspace; id: string }) {
  const pages = usePages<AccessRow>(at.accessOf(workspace.id, id, { limit: 20 }));
  if (pages.failure) return <Refused failure={pages.failure} />;
  return (
    <div>
      <ul class="accesses">
        {pages.rows?.map((row) => (
          <li key={row.seq}>
            <span>
              {words.access.did(row.action)}
              <span class="quiet">
                {" "}
                <bdi>{row.subject}</bdi>
                {row.memories[0] && row.memories[0].version > 0 && `, ${words.memory.version(row.memories[0].version)}`}
              </span>
            </span>
            <Time at={row.at} />
          </li>
        ))}
      </ul>
      {pages.hasMore && (
        <Button kind="quiet" onClick={pages.more}>
          {words.more}
        </Button>
      )}
    </div>
  );
}
