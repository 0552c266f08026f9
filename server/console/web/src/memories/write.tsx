import { useState } from "preact/hooks";
import { at, commitMemory } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { treeChanged } from "../tree/store.ts";
import { useResource, workspaceChanged } from "../api/resource.ts";
import type { CommitMemory, CommittedMemory, ReachAnswer, RelationAnswer, Scope, Workspace } from "../api/types.ts";
import { Button, Field, Select } from "../parts/controls.tsx";
import { Dialog, say } from "../parts/dialog.tsx";
import { ScopeSign } from "../parts/icons.tsx";
import { faultOf, sentenceOf } from "../parts/states.tsx";
import { goWith } from "../route.ts";
import { words } from "../words.ts";
import { SCOPES } from "./filters.ts";
import { audience } from "./audience.ts";

const FIELDS = ["content", "scope", "namespace", "kind", "confidence", "tags", "ttl_seconds"];

/** Writes a memory as this workspace, saying who will read it. */
export function Write({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const [content, setContent] = useState("");
  const [scope, setScope] = useState<Scope>("LOCAL");
  const [namespace, setNamespace] = useState("");
  const [kind, setKind] = useState("");
  const [tags, setTags] = useState("");
  const [confidence, setConfidence] = useState("");
  const [ttl, setTtl] = useState<string>("");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const memory: CommitMemory = {
      content,
      scope,
      tags: tags.split(",").map((tag) => tag.trim()).filter(Boolean),
      ...(namespace.trim() === "" ? {} : { namespace: namespace.trim() }),
      ...(kind.trim() === "" ? {} : { kind: kind.trim() }),
      ...(confidence === "" ? {} : { confidence: Number(confidence) }),
      ...(ttl === "" ? {} : { ttl_seconds: Number(ttl) }),
    };
    try {
      const { data } = await commitMemory(workspace.id, memory);
      say(saved(data));
      workspaceChanged(workspace.id);
      treeChanged();
      goWith({ write: undefined, m: data.id });
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  const other = failure && !FIELDS.some((field) => faultOf(failure, field) !== undefined);
  return (
    <Dialog title={words.write.title(workspace.name)} onClose={onClose}>
      <form
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
        }}
      >
        <Field label={words.write.content} fault={faultOf(failure, "content")}>
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
          <TextField name="namespace" value={namespace} onChange={setNamespace} failure={failure} placeholder="general" />
          <TextField name="kind" value={kind} onChange={setKind} failure={failure} placeholder="fact" />
          <TextField name="tags" value={tags} onChange={setTags} failure={failure} placeholder={words.write.tagsExample} />
          <Field label={words.write.fields.confidence} fault={faultOf(failure, "confidence")}>
            {(attributes) => (
              <input
                {...attributes}
                type="number"
                min={0}
                max={1}
                step={0.05}
                placeholder="0.5"
                value={confidence}
                onInput={(event) => setConfidence(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={words.write.expiry} fault={faultOf(failure, "ttl_seconds")}>
            {({ id }) => <Select id={id} value={ttl} options={words.lifetimes} onChange={setTtl} />}
          </Field>
        </div>
        {other && (
          <p class="fault" role="alert">
            {sentenceOf(failure)}
          </p>
        )}
        <footer>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="first" type="submit" isBusy={isBusy}>
            {words.write.do}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface TextFieldProps {
  name: "namespace" | "kind" | "tags";
  value: string;
  onChange: (value: string) => void;
  failure: Failure | undefined;
  placeholder: string;
}

function TextField({ name, value, onChange, failure, placeholder }: TextFieldProps) {
  return (
    <Field label={words.write.fields[name]} fault={faultOf(failure, name)}>
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

/** Each scope with who would read it now; one that may not be written has the server's reason beside it. */
function ScopeChoice({ workspace, value, onChange }: ScopeChoiceProps) {
  const reach = useResource<ReachAnswer>(at.reach(workspace.id)).data;
  const itself = useResource<RelationAnswer>(at.relation(workspace.id, workspace.id)).data;
  return (
    <fieldset class="scope-choice">
      <legend>{words.write.scope}</legend>
      {SCOPES.map((scope) => {
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
              <bdi>{isRefused ? row.read_by_reason : reach ? audience(reach, scope) : ""}</bdi>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

function saved(memory: CommittedMemory): string {
  const replaced = memory.redactions.map((each) => words.write.replaced(each.count, each.kind));
  return replaced.length === 0 ? words.write.saved : `${words.write.saved} ${words.write.scrubbed(replaced.join(", "))}`;
}
