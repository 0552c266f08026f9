// A whole org from a document, or the demo: first what it would add, then, when one has seen that, the import itself.

import { useState } from "preact/hooks";
import { api } from "../api/http.ts";
import { at, importOrg } from "../api/calls.ts";
import type { ImportAnswer, ImportNode } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Field } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { go, workspacePath } from "../route.ts";
import { treeChanged } from "../tree/store.ts";
import { words } from "../words.ts";

/** A document as it is sent: YAML, of which JSON is a part. */
const YAML = "application/yaml";

/** Takes a document, says what it would add, and adds it. */
export function Import({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<ImportAnswer>();
  const change = (now: string) => {
    setText(now);
    setAnswer(undefined);
  };
  const act = async () => {
    const { data } = await importOrg(text, YAML, answer === undefined);
    if (answer !== undefined) return arrived(data);
    setAnswer(data);
    return false;
  };
  const { title, check, what, file, hint } = words.import;
  return (
    <Confirm
      title={title}
      kind="first"
      label={text.trim() === "" ? undefined : answer ? words.import.do(answer.workspaces_created) : check}
      act={act}
      onClose={onClose}
    >
      <Field label={file}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".yaml,.yml,.json"
            onChange={(event) => void event.currentTarget.files?.[0]?.text().then(change)}
          />
        )}
      </Field>
      <Field label={what} hint={hint}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="code"
            rows={10}
            spellcheck={false}
            placeholder={words.import.example}
            value={text}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )}
      </Field>
      {answer && <Preview answer={answer} />}
    </Confirm>
  );
}

/** What would be new, and what is there already and stays as it is. */
function Preview({ answer }: { answer: ImportAnswer }) {
  const rows: Array<[string, number, number | undefined]> = [
    [words.system.workspaces, answer.workspaces_created, answer.workspaces_kept],
    [words.system.memories, answer.memories_committed, answer.memories_kept],
    [words.system.entries, answer.entries_put, undefined],
    [words.system.episodes, answer.episodes_appended, undefined],
  ];
  return (
    <table class="table import-preview" role="status" aria-label={words.import.would}>
      <thead>
        <tr>
          <th scope="col">{words.import.would}</th>
          <th scope="col" class="number">
            {words.import.isNew}
          </th>
          <th scope="col" class="number">
            {words.import.kept}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, added, kept]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{added}</td>
            <td class="number">{kept ?? words.unknown}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Fills the server with a company to look around in. */
export async function loadDemo(): Promise<void> {
  const { data } = await api<ImportNode>(at.demo);
  arrived((await importOrg(JSON.stringify(data), "application/json", false)).data);
}

function arrived(answer: ImportAnswer): void {
  say(words.import.done(answer.workspaces_created, answer.memories_committed));
  treeChanged();
  go(workspacePath(answer.org_id));
}
