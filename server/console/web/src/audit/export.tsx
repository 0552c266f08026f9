import { useState } from "preact/hooks";
import { type Parameters, at } from "../api/calls.ts";
import { type Answer, api, asFailure } from "../api/http.ts";
import type { AccessRow, Workspace } from "../api/types.ts";
import { Button } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { sentenceOf } from "../parts/states.tsx";
import { words } from "../words.ts";

/** Rows asked for at a time; the most that the server gives. */
const PAGE = 500;

/** Every row that the filters show, one JSON object a line, in the order of the list. */
export function Export({ workspace, asked }: { workspace: Workspace; asked: Parameters }) {
  const [count, setCount] = useState<number>();
  const run = async () => {
    const lines: string[] = [];
    try {
      let next: string | undefined = at.access(workspace.id, { ...asked, limit: PAGE });
      while (next !== undefined) {
        setCount(lines.length);
        const answer: Answer<AccessRow[]> = await api<AccessRow[]>(next);
        lines.push(...answer.data.map((row) => `${JSON.stringify(row)}\n`));
        next = answer.next;
      }
      save(`access-log-${workspace.name}.jsonl`, lines);
    } catch (error) {
      say(sentenceOf(asFailure(error)));
    } finally {
      setCount(undefined);
    }
  };
  return (
    <Button isBusy={count !== undefined} onClick={() => void run()}>
      {count === undefined ? words.access.export : words.access.exporting(count)}
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
