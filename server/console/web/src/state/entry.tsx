import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint, deleteEntry, putEntry } from "../api/calls.ts";
import { api, asFailure } from "../api/http.ts";
import { canKeepNumbers, isStoredAs } from "../api/json.ts";
import { refresh, useResource, invalidateWorkspace } from "../api/resource.ts";
import type { Entry, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Conflict } from "../parts/conflict.tsx";
import { Button, Field, IconButton, Select, submitOnModEnter } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { CloseIcon } from "../parts/icons.tsx";
import { Outdated } from "../parts/outdated.tsx";
import { SaveFault, useSave } from "../parts/save.tsx";
import { ErrorNotice, Skeleton, fieldError } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Snippet } from "../parts/text.tsx";
import { useUnsaved } from "../parts/unsaved.tsx";
import { Time, relative, useNow } from "../parts/time.tsx";
import { goWith } from "../route.ts";
import { strings } from "../strings.ts";
import { parseValue, formatValue } from "./groups.ts";

interface EntryDrawerProps {
  workspace: Workspace;
  /** The key; empty for a new one. */
  name: string;
  canWrite: boolean;
  onClose: () => void;
}

export function EntryDrawer({ workspace, name, canWrite, onClose }: EntryDrawerProps) {
  const isNew = name === "";
  const entry = useResource<Entry>(isNew ? undefined : endpoint.entry(workspace.id, name));
  const ref = useRef<HTMLElement>(null);
  const [isDeleting, setDeleting] = useState(false);
  useEffect(() => {
    if (!isNew) ref.current?.focus({ preventScroll: true });
  }, []);
  // a key that expired while open is gone from the server, but the user's text stays
  const isGone = entry.failure?.status === 404 && entry.data !== undefined;
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={isNew ? strings.state.newKey : strings.state.title}>
      <header>
        <h2>
          <Stored>{isNew ? strings.state.newKey : name}</Stored>
        </h2>
        <IconButton label={strings.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <Outdated isOutdated={entry.isOutdated} reload={() => refresh(endpoint.entry(workspace.id, name))} />
      {entry.failure && !isGone && <ErrorNotice failure={entry.failure} />}
      {!isNew && !entry.data && !entry.failure && <Skeleton rows={4} />}
      {isGone && <p class="notice">{strings.state.gone}</p>}
      {(isNew || entry.data) && (
        <Editor workspace={workspace} entry={entry.data} canWrite={canWrite} onDelete={() => setDeleting(true)} />
      )}
      {isDeleting && entry.data && (
        <DeleteKeyDialog workspace={workspace} entry={entry.data} onClose={() => setDeleting(false)} onDone={onClose} />
      )}
    </aside>
  );
}

interface EditorProps {
  workspace: Workspace;
  entry: Entry | undefined;
  canWrite: boolean;
  onDelete: () => void;
}

function Editor({ workspace, entry, canWrite, onDelete }: EditorProps) {
  const now = useNow();
  const [key, setKey] = useState(entry?.key ?? "");
  // the version when the editing began, which the save requires
  const [base, setBase] = useState(entry);
  const [text, setText] = useState(entry ? formatValue(entry.value) : "");
  const [ttl, setTtl] = useState("");
  const save = useSave();
  const { failure } = save;
  const [theirs, setTheirs] = useState<Entry | null>();
  const isEdited = text !== (base ? formatValue(base.value) : "");
  useUnsaved(isEdited || (!entry && key !== ""), ["key", "new"], () => {});
  // without local edits, the stored value replaces the text; the server may have rounded a number of it
  useEffect(() => {
    if (entry && !isEdited && base && entry.version >= base.version) {
      setBase(entry);
      setText(formatValue(entry.value));
    }
  }, [entry]);
  const parsed = parseValue(text);
  const submit = (event: Event) => {
    event.preventDefault();
    if (save.isBusy || parsed.fault !== undefined) return;
    const lifetime = ttl === "" ? {} : { ttl_seconds: Number(ttl) };
    const { value } = parsed;
    const before = base?.version ?? 0;
    void save.run({
      send: async () => (await putEntry(workspace.id, { key, value, if_match_version: before, ...lifetime })).data.version,
      find: async () => {
        const now = await current(workspace.id, key);
        return now && now.version > before && isStoredAs(now.value, value) ? now.version : undefined;
      },
      onStored: (version) => {
        setBase({ key, value, version, updated_at: new Date().toISOString() });
        setText(formatValue(value));
        showToast(strings.state.saved(version));
        invalidateWorkspace(workspace.id);
        if (!entry) goWith({ key, new: undefined }, { replace: true, isSaved: true });
      },
      onConflict: async () => setTheirs(await current(workspace.id, key)),
    });
  };
  return (
    <form class="drawer-body" onSubmit={submit} onKeyDown={submitOnModEnter}>
      {!entry && (
        <Field label={strings.state.key} hint={strings.state.keyHint} fault={fieldError(failure, "key")}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              required
              autofocus
              spellcheck={false}
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      {entry && base && (
        <p class="drawer-facts">
          <span class="fact">{strings.state.versionOf(base.version)}</span>
          <span class="fact">
            {strings.state.changed} <Time at={base.updated_at} />
          </span>
          {base.expires_at && <span class="expires">{strings.state.expiresAt(relative(base.expires_at, now))}</span>}
        </p>
      )}
      {canWrite && !canKeepNumbers && <p class="notice">{strings.state.rounds}</p>}
      {canWrite && canKeepNumbers ? (
        <>
          <Field
            label={strings.state.value}
            hint={text.trim() === "" ? undefined : parsed.isJson ? strings.state.asJson : strings.state.asText}
            fault={parsed.fault ?? fieldError(failure, "value")}
          >
            {(attributes) => (
              <textarea
                {...attributes}
                class="code"
                rows={12}
                spellcheck={false}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={strings.state.ttl} hint={strings.state.ttlHint}>
            {({ id }) => <Select id={id} value={ttl} options={strings.lifetimes} onChange={setTtl} />}
          </Field>
          <SaveFault save={save} isAtField={(fieldError(failure, "key") ?? fieldError(failure, "value")) !== undefined} />
          <footer>
            {entry && (
              <Button kind="danger" onClick={onDelete}>
                {strings.state.delete}
              </Button>
            )}
            <Button kind="primary" type="submit" isBusy={save.isBusy}>
              {strings.state.save}
            </Button>
          </footer>
        </>
      ) : (
        <Snippet text={text} label={strings.state.value} />
      )}
      {theirs !== undefined && (
        <Conflict
          base={base ? formatValue(base.value) : ""}
          theirs={theirs && { version: theirs.version, text: formatValue(theirs.value) }}
          mine={text}
          check={(merged) => parseValue(merged).fault}
          onClose={() => setTheirs(undefined)}
          onTake={(merged) => {
            setBase(theirs ?? undefined);
            setText(merged);
            setTheirs(undefined);
          }}
        />
      )}
    </form>
  );
}

/** The current entry; null when there is none. */
async function current(workspace: string, key: string): Promise<Entry | null> {
  try {
    return (await api<Entry>(endpoint.entry(workspace, key))).data;
  } catch (error) {
    if (asFailure(error).status === 404) return null;
    throw error;
  }
}

interface DeleteKeyProps {
  workspace: Workspace;
  entry: Entry;
  onClose: () => void;
  onDone: () => void;
}

function DeleteKeyDialog({ workspace, entry, onClose, onDone }: DeleteKeyProps) {
  const find = async () => ((await current(workspace.id, entry.key)) === null ? true : undefined);
  const setDeleted = () => {
    showToast(strings.state.deleted(entry.key));
    invalidateWorkspace(workspace.id);
    onDone();
  };
  return (
    <Confirm
      title={strings.state.deleteTitle}
      size="narrow"
      label={strings.state.delete}
      act={async () => (await deleteEntry(workspace.id, entry.key)) && true}
      find={find}
      onDone={setDeleted}
      onClose={onClose}
    >
      <p>
        <bdi dir="ltr">{strings.state.deleteText(entry.key, entry.version, workspace.name)}</bdi>
      </p>
    </Confirm>
  );
}
