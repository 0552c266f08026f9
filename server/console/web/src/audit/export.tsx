import { useState } from "preact/hooks";
import { type Parameters, endpoint } from "../api/calls.ts";
import { type ApiResponse, api, asFailure } from "../api/http.ts";
import type { AuditRow, Workspace } from "../api/types.ts";
import { Button } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { failureMessage } from "../parts/states.tsx";
import { strings } from "../strings.ts";

/** Rows per request; the server's maximum. */
const PAGE = 500;

/** Downloads every row that the filters match, as JSON lines in the order of the list. */
export function Export({ workspace, parameters }: { workspace: Workspace; parameters: Parameters }) {
  const [count, setCount] = useState<number>();
  const run = async () => {
    const lines: string[] = [];
    try {
      let next: string | undefined = endpoint.access(workspace.id, { ...parameters, limit: PAGE });
      while (next !== undefined) {
        setCount(lines.length);
        const answer: ApiResponse<AuditRow[]> = await api<AuditRow[]>(next);
        lines.push(...answer.data.map((row) => `${JSON.stringify(row)}\n`));
        next = answer.next;
      }
      save(`access-log-${workspace.name}.jsonl`, lines);
    } catch (error) {
      showToast(failureMessage(asFailure(error)));
    } finally {
      setCount(undefined);
    }
  };
  return (
    <Button isBusy={count !== undefined} onClick={() => void run()}>
      {count === undefined ? strings.access.export : strings.access.exporting(count)}
    </Button>
  );
}

function save(name: string, lines: string[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
  link.download = name.replace(/[^\p{L}\p{N}.-]+/gu, "-");
  link.click();
  URL.revokeObjectURL(link.href);
}
