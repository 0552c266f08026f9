import { useEffect, useRef, useState } from "preact/hooks";
import { at, dropEntry, putEntry } from "../api/calls.ts";
import { type Failure, api, asFailure } from "../api/http.ts";
import { useResource, workspaceChanged } from "../api/resource.ts";
import type { Entry, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Conflict } from "../parts/conflict.tsx";
import { Button, Field, IconButton, Select } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { Cross } from "../parts/icons.tsx";
import { Refused, Waiting, faultOf, sentenceOf } from "../parts/states.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time, relative, useNow } from "../parts/time.tsx";
import { goWith } from "../route.ts";
import { words } from "../words.ts";
import { valueOf, written } from "./groups.ts";

interface EntryDrawerProps {
  workspace: Workspace;
  /** The key; empty for a new one. */
  name: string;
  canWrite: boolean;
  onClose: () => void;
}

/** One key, or a new one. */
export function EntryDrawer({ workspace, name, canWrite, onClose }: EntryDrawerProps) {
  const isNew = name === "";
  const entry = useResource<Entry>(isNew ? undefined : at.entry(workspace.id, name));
  const ref = useRef<HTMLElement>(null);
  const [isDropping, drop] = useState(false);
  useEffect(() => {
    if (!isNew) ref.current?.focus({ preventScroll: true });
  }, []);
  // an entry that expired while it was looked at is gone from the server, but not from here
  const isGone = entry.failure?.status === 404 && entry.data !== undefined;
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={isNew ? words.state.put : words.state.one}>
      <header>
        <h2>
          <bdi>{isNew ? words.state.put : name}</bdi>
        </h2>
        <IconButton label={words.close} onClick={onClose}>
          <Cross />
        </IconButton>
      </header>
      {entry.failure && !isGone && <Refused failure={entry.failure} />}
      {!isNew && !entry.data && !entry.failure && <Waiting rows={4} />}
      {isGone && <p class="notice">{words.state.gone}</p>}
      {(isNew || entry.data) && (
        <Editor workspace={workspace} entry={entry.data} canWrite={canWrite} onDrop={() => drop(true)} />
      )}
      {isDropping && entry.data && (
        <Drop workspace={workspace} entry={entry.data} onClose={() => drop(false)} onDone={onClose} />
      )}
    </aside>
  );
}

interface EditorProps {
  workspace: Workspace;
  entry: Entry | undefined;
  canWrite: boolean;
  onDrop: () => void;
}

function Editor({ workspace, entry, canWrite, onDrop }: EditorProps) {
  const now = useNow();
  const [key, setKey] = useState(entry?.key ?? "");
  // the version that was read when the editing began: what is saved is meant for that one
  const [base, setBase] = useState(entry);
  const [text, setText] = useState(entry ? written(entry.value) : "");
  const [ttl, setTtl] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [theirs, setTheirs] = useState<Entry | null>();
  const isEdited = text !== (base ? written(base.value) : "");
  // nothing was typed: what others wrote is simply shown
  useEffect(() => {
    if (entry && !isEdited && entry.version !== base?.version) {
      setBase(entry);
      setText(written(entry.value));
    }
  }, [entry]);
  const parsed = valueOf(text);
  const save = async (event: Event) => {
    event.preventDefault();
    if (isBusy || parsed.fault !== undefined) return;
    setBusy(true);
    setFailure(undefined);
    const lifetime = ttl === "" ? {} : { ttl_seconds: Number(ttl) };
    try {
      const value = parsed.value;
      const { data } = await putEntry(workspace.id, { key, value, if_match_version: base?.version ?? 0, ...lifetime });
      const saved = { key, value, version: data.version, updated_at: new Date().toISOString() };
      setBase(saved);
      say(words.state.saved(data.version));
      workspaceChanged(workspace.id);
      if (!entry) goWith({ key, new: undefined }, { replace: true });
    } catch (error) {
      const refused = asFailure(error);
      if (refused.problem.code === "version_conflict") setTheirs(await current(workspace.id, key));
      else setFailure(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="drawer-body" onSubmit={(event) => void save(event)}>
      {!entry && (
        <Field label={words.state.key} hint={words.state.keyHint} fault={faultOf(failure, "key")}>
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
          <span class="fact">{words.state.versionOf(base.version)}</span>
          <span class="fact">
            {words.state.changed} <Time at={base.updated_at} />
          </span>
          {base.expires_at && <span class="expires">{words.state.expiresAt(relative(base.expires_at, now))}</span>}
        </p>
      )}
      {canWrite ? (
        <>
          <Field
            label={words.state.value}
            hint={text.trim() === "" ? undefined : parsed.isJson ? words.state.asJson : words.state.asText}
            fault={parsed.fault ?? faultOf(failure, "value")}
          >
            {(attributes) => (
              <textarea
                {...attributes}
                class="code"
                rows={12}
                spellcheck={false}
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save(event);
                }}
              />
            )}
          </Field>
          <Field label={words.state.ttl} hint={words.state.ttlHint}>
            {({ id }) => <Select id={id} value={ttl} options={words.lifetimes} onChange={setTtl} />}
          </Field>
          {failure && faultOf(failure, "key") === undefined && faultOf(failure, "value") === undefined && (
            <p class="fault" role="alert">
              {sentenceOf(failure)}
            </p>
          )}
          <footer>
            {entry && (
              <Button kind="danger" onClick={onDrop}>
                {words.state.drop}
              </Button>
            )}
            <Button kind="first" type="submit" isBusy={isBusy}>
              {words.state.save}
            </Button>
          </footer>
        </>
      ) : (
        <Snippet text={text} label={words.state.value} />
      )}
      {theirs !== undefined && (
        <Conflict
          base={base ? written(base.value) : ""}
          theirs={theirs && { version: theirs.version, text: written(theirs.value) }}
          mine={text}
          check={(merged) => valueOf(merged).fault}
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

/** The entry as it is now; null when there is none. */
async function current(workspace: string, key: string): Promise<Entry | null> {
  try {
    return (await api<Entry>(at.entry(workspace, key))).data;
  } catch (error) {
    if (asFailure(error).status === 404) return null;
    throw error;
  }
}

interface DropProps {
  workspace: Workspace;
  entry: Entry;
  onClose: () => void;
  onDone: () => void;
}

function Drop({ workspace, entry, onClose, onDone }: DropProps) {
  const drop = async () => {
    await dropEntry(workspace.id, entry.key);
    say(words.state.dropped(entry.key));
    workspaceChanged(workspace.id);
    onDone();
  };
  return (
    <Confirm title={words.state.dropTitle} size="narrow" label={words.state.drop} act={drop} onClose={onClose}>
      <p>
        <bdi>{words.state.dropWhat(entry.key, entry.version, workspace.name)}</bdi>
      </p>
    </Confirm>
  );
}
