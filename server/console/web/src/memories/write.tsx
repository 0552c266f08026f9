import { useState } from "preact/hooks";
import { endpoint, commitMemory } from "../api/calls.ts";
import { type Failure, api, asFailure } from "../api/http.ts";
import { invalidateTree } from "../tree/store.ts";
import { useResource, invalidateWorkspace } from "../api/resource.ts";
import type { CommitMemory, CommittedMemory, Memory, ReachResponse, RelationResponse, Scope, Workspace } from "../api/types.ts";
import { Button, Field, Select, submitOnModEnter } from "../parts/controls.tsx";
import { Dialog, showToast } from "../parts/dialog.tsx";
import { ScopeSign } from "../parts/icons.tsx";
import { readersPath } from "../parts/readers.ts";
import { newId } from "../parts/ids.ts";
import { SaveFault, useSave } from "../parts/save.tsx";
import { fieldError } from "../parts/states.tsx";
import { parseTags } from "../parts/tags.ts";
import { useUnsaved } from "../parts/unsaved.tsx";
import { goWith } from "../route.ts";
import { strings } from "../strings.ts";
import { SCOPES } from "./filters.ts";
import { audience } from "./audience.ts";

const FIELDS = ["content", "title", "scope", "namespace", "kind", "confidence", "tags", "ttl_seconds"];

/** The dialog that writes a memory as this workspace. */
export function Write({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const [content, setContent] = useState("");
  const [scope, setScope] = useState<Scope>("LOCAL");
  const [title, setTitle] = useState("");
  const [namespace, setNamespace] = useState("");
  const [kind, setKind] = useState("");
  const [tags, setTags] = useState("");
  const [confidence, setConfidence] = useState("");
  const [ttl, setTtl] = useState<string>("");
  // the same for every attempt, so that none stores a second memory
  const [id] = useState(newId);
  const save = useSave();
  const { failure } = save;
  const isUnsaved = [content, title, namespace, kind, tags, confidence].some((typed) => typed !== "");
  const close = useUnsaved(isUnsaved, ["write"], onClose);
  const submit = (event: Event) => {
    event.preventDefault();
    if (save.isBusy) return;
    const memory: CommitMemory = {
      id,
      content,
      scope,
      tags: parseTags(tags),
      ...(title.trim() === "" ? {} : { title: title.trim() }),
      ...(namespace.trim() === "" ? {} : { namespace: namespace.trim() }),
      ...(kind.trim() === "" ? {} : { kind: kind.trim() }),
      ...(confidence === "" ? {} : { confidence: Number(confidence) }),
      ...(ttl === "" ? {} : { ttl_seconds: Number(ttl) }),
    };
    void save.run({
      send: async () => saved((await commitMemory(workspace.id, memory)).data),
      find: async () => ((await exists(workspace.id, id)) ? strings.write.saved : undefined),
      onStored: (message) => {
        showToast(message);
        invalidateWorkspace(workspace.id);
        invalidateTree();
        goWith({ write: undefined, m: id }, { isSaved: true });
      },
    });
  };
  const isAtField = FIELDS.some((field) => fieldError(failure, field) !== undefined);
  return (
    <Dialog title={strings.write.title(workspace.name)} onClose={close}>
      <form onSubmit={submit} onKeyDown={submitOnModEnter}>
        <Field label={strings.write.content} fault={fieldError(failure, "content")}>
          {(attributes) => (
            <textarea
              {...attributes}
              rows={6}
              autofocus
              required
              value={content}
              onInput={(event) => setContent(event.currentTarget.value)}
            />
          )}
        </Field>
        <ScopeChoice workspace={workspace} value={scope} onChange={setScope} />
        <div class="columns">
          <TextField name="title" value={title} onChange={setTitle} failure={failure} placeholder={strings.write.titleExample} />
          <TextField name="namespace" value={namespace} onChange={setNamespace} failure={failure} placeholder="general" />
          <TextField name="kind" value={kind} onChange={setKind} failure={failure} placeholder="fact" />
          <TextField name="tags" value={tags} onChange={setTags} failure={failure} placeholder={strings.write.tagsExample} />
          <Field label={strings.write.fields.confidence} fault={fieldError(failure, "confidence")}>
            {(attributes) => (
              <input
                {...attributes}
                type="number"
                min={0}
                max={1}
                step="any"
                placeholder="0.5"
                value={confidence}
                onInput={(event) => setConfidence(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={strings.write.expiry} fault={fieldError(failure, "ttl_seconds")}>
            {({ id }) => <Select id={id} value={ttl} options={strings.lifetimes} onChange={setTtl} />}
          </Field>
        </div>
        <SaveFault save={save} isAtField={isAtField} />
        <footer>
          <Button onClick={close}>{strings.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={save.isBusy}>
            {strings.write.do}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface TextFieldProps {
  name: "title" | "namespace" | "kind" | "tags";
  value: string;
  onChange: (value: string) => void;
  failure: Failure | undefined;
  placeholder: string;
}

function TextField({ name, value, onChange, failure, placeholder }: TextFieldProps) {
  return (
    <Field label={strings.write.fields[name]} fault={fieldError(failure, name)}>
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          placeholder={placeholder}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface ScopeChoiceProps {
  workspace: Workspace;
  value: Scope;
  onChange: (scope: Scope) => void;
}

/** The scopes with their current readers; a scope that the workspace may not write shows the server's reason. */
function ScopeChoice({ workspace, value, onChange }: ScopeChoiceProps) {
  const itself = useResource<RelationResponse>(endpoint.relation(workspace.id, workspace.id)).data;
  return (
    <fieldset class="scope-choice">
      <legend>{strings.write.scope}</legend>
      {SCOPES.map((scope) => {
        const reach = useResource<ReachResponse>(readersPath(workspace.id, scope)).data;
        const row = itself?.rows.find((each) => each.scope === scope);
        const isRefused = row?.read_by === false;
        return (
          <label key={scope} class={`choice ${scope.toLowerCase()} ${isRefused ? "refused-choice" : ""}`}>
            <input
              type="radio"
              name="scope"
              checked={value === scope}
              disabled={isRefused}
              onChange={() => onChange(scope)}
            />
            <span class={`scope ${scope.toLowerCase()}`}>
              <ScopeSign scope={scope} />
              {scope}
            </span>
            <span class="choice-text">
              <bdi dir="ltr">{isRefused ? row.read_by_reason : reach ? audience(reach, scope) : ""}</bdi>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Whether the workspace has a memory with this id. */
async function exists(workspace: string, id: string): Promise<boolean> {
  try {
    await api<Memory>(endpoint.memory(workspace, id));
    return true;
  } catch (error) {
    if (asFailure(error).status === 404) return false;
    throw error;
  }
}

function saved(memory: CommittedMemory): string {
  const replaced = memory.redactions.map((each) => strings.write.replaced(each.count, each.kind));
  return replaced.length === 0 ? strings.write.saved : `${strings.write.saved} ${strings.write.scrubbed(replaced.join(", "))}`;
}
