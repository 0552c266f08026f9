// Importing an org from a document, or the demo: first a preview, then the import.

import { useState } from "preact/hooks";
import { api } from "../api/http.ts";
import { endpoint, importOrg } from "../api/calls.ts";
import type { ImportResponse, ImportNode } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Field } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { go, workspacePath } from "../route.ts";
import { invalidateTree } from "../tree/store.ts";
import { strings } from "../strings.ts";

/** Media type of a document; JSON is valid YAML. */
const YAML = "application/yaml";

/** The import dialog. */
export function Import({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<ImportResponse>();
  const change = (now: string) => {
    setText(now);
    setAnswer(undefined);
  };
  const preview = async () => {
    setAnswer((await importOrg(text, YAML, true)).data);
    return false as const;
  };
  // an import that happened leaves nothing for another one to add
  const find = async () => {
    const { data } = await importOrg(text, YAML, true);
    const isDone = data.workspaces_created + data.memories_committed + data.entries_put + data.episodes_appended === 0;
    return isDone && answer ? { ...answer, org_id: data.org_id } : undefined;
  };
  const { title, preview: previewLabel, text: textLabel, file, hint } = strings.import;
  return (
    <Confirm
      title={title}
      kind="primary"
      label={text.trim() === "" ? undefined : answer ? strings.import.do(answer.workspaces_created) : previewLabel}
      act={answer ? async () => (await importOrg(text, YAML, false)).data : preview}
      find={answer ? find : preview}
      isRead={!answer}
      onDone={arrived}
      isUnsaved={text !== ""}
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
      <Field label={textLabel} hint={hint}>
        {(attributes) => (
          <textarea
            {...attributes}
            class="code"
            rows={10}
            spellcheck={false}
            placeholder={strings.import.example}
            value={text}
            onInput={(event) => change(event.currentTarget.value)}
          />
        )}
      </Field>
      {answer && <ImportPreview answer={answer} />}
    </Confirm>
  );
}

/** The new and the existing items of an import. */
function ImportPreview({ answer }: { answer: ImportResponse }) {
  const rows: Array<[string, number, number | undefined]> = [
    [strings.system.workspaces, answer.workspaces_created, answer.workspaces_kept],
    [strings.system.memories, answer.memories_committed, answer.memories_kept],
    [strings.system.entries, answer.entries_put, undefined],
    [strings.system.episodes, answer.episodes_appended, undefined],
  ];
  return (
    <table class="table import-preview" role="status" aria-label={strings.import.previewTitle}>
      <thead>
        <tr>
          <th scope="col">{strings.import.previewTitle}</th>
          <th scope="col" class="number">
            {strings.import.isNew}
          </th>
          <th scope="col" class="number">
            {strings.import.existing}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, added, kept]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{added}</td>
            <td class="number">{kept ?? strings.unknown}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Imports the demo org. */
export async function loadDemo(): Promise<void> {
  const { data } = await api<ImportNode>(endpoint.demo);
  arrived((await importOrg(JSON.stringify(data), "application/json", false)).data);
}

function arrived(answer: ImportResponse): void {
  showToast(strings.import.done(answer.workspaces_created, answer.memories_committed));
  invalidateTree();
  go(workspacePath(answer.org_id), { isSaved: true });
}
