import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Memory, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Button, IconButton, Link } from "../parts/controls.tsx";
import { Cross, Pin } from "../parts/icons.tsx";
import { Refused, Waiting } from "../parts/states.tsx";
import { Content, Copy, Id, Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { pathWith, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { words } from "../words.ts";
import { Edit } from "./edit.tsx";
import { History } from "./history.tsx";
import { Why } from "./why.tsx";

interface DrawerProps {
  me: Me;
  workspace: Workspace;
  id: string;
  /** The words to mark. */
  query: string;
  onClose: () => void;
}

/** One memory, whole. */
export function Drawer({ me, workspace, id, query, onClose }: DrawerProps) {
  const memory = useResource<Memory>(at.memory(workspace.id, id));
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={words.memory.title}>
      <header>
        <h2>{words.memory.title}</h2>
        {memory.data && <Copy text={memory.data.content} label={words.memory.copy} />}
        <IconButton label={words.close} onClick={onClose}>
          <Cross />
        </IconButton>
      </header>
      {memory.failure && <Refused failure={memory.failure} />}
      {!memory.data && !memory.failure && <Waiting rows={4} />}
      {memory.data && <Whole me={me} workspace={workspace} memory={memory.data} query={query} />}
    </aside>
  );
}

interface WholeProps {
  me: Me;
  workspace: Workspace;
  memory: Memory;
  query: string;
}

function Whole({ me, workspace, memory, query }: WholeProps) {
  const [isEdited, edit] = useState(false);
  // its author alone edits it; the server says of each memory by which way it is read
  const canEdit = memory.via === "self" && may(me, "write_memories");
  useKeys({ "e": () => (canEdit && !isEdited ? edit(true) : false) });
  return (
    <div class="drawer-body">
      <p class="drawer-facts">
        <ScopeChip scope={memory.scope} />
        {memory.pin && (
          <span class="pinned">
            <Pin />
            {words.memory.pinned}
          </span>
        )}
        <span class="fact">{memory.kind}</span>
        <span class="fact">{memory.namespace}</span>
        <span class="fact">{words.memory.confidenceOf(memory.confidence)}</span>
      </p>
      {isEdited ? (
        <Edit workspace={workspace} memory={memory} onDone={() => edit(false)} />
      ) : (
        <>
          <p class="content">
            <Content text={memory.content} query={query} />
          </p>
          {canEdit && (
            <p>
              <Button onClick={() => edit(true)}>{words.edit.do}</Button>
            </p>
          )}
        </>
      )}
      {memory.tags.length > 0 && (
        <ul class="tags" aria-label={words.memory.tags}>
          {memory.tags.map((tag) => (
            <li key={tag}>
              <Link to={`${workspacePath(workspace.id)}?tag=${encodeURIComponent(tag)}`}>
                <bdi>#{tag}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Why workspace={workspace} memory={memory} />
      <Provenance workspace={workspace} memory={memory} />
      <History workspace={workspace} memory={memory} canEdit={canEdit} />
      <Facts workspace={workspace} memory={memory} />
    </div>
  );
}

/** Where it comes from, each a link where there is something to look at. */
function Provenance({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  const rows: Array<[string, preact.ComponentChildren]> = [
    [
      words.memory.author,
      <Link to={workspacePath(memory.workspace_id)}>
        <bdi>{memory.workspace_name}</bdi>
      </Link>,
    ],
    [words.memory.source, words.memory.sourceOf(memory.source, memory.role)],
    [words.memory.written, <Time at={memory.created_at} />],
  ];
  if (memory.version > 1) {
    rows.push([words.memory.changed, <>{words.memory.version(memory.version)}, <Time at={memory.updated_at} /></>]);
  }
  if (memory.expires_at) rows.push([words.memory.expires, <Time at={memory.expires_at} />]);
  if (memory.subject) rows.push([words.memory.subject, <Filtered workspace={workspace} name="subject" value={memory.subject} />]);
  if (memory.session_id) {
    rows.push([words.memory.session, <Filtered workspace={workspace} name="session_id" value={memory.session_id} />]);
  }
  if (memory.run_id) rows.push([words.memory.run, <Filtered workspace={workspace} name="run_id" value={memory.run_id} />]);
  if (memory.supersedes) {
    rows.push([words.memory.supersedes, <Link to={pathWith({ m: memory.supersedes })}>{memory.supersedes}</Link>]);
  }
  return (
    <details open>
      <summary>
        <h3>{words.memory.provenance}</h3>
      </summary>
      <dl class="facts-list">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Filtered({ workspace, name, value }: { workspace: Workspace; name: string; value: string }) {
  return (
    <Link to={`${workspacePath(workspace.id)}?${name}=${encodeURIComponent(value)}`}>
      <bdi>{value}</bdi>
    </Link>
  );
}

/** Every field as the server tells it, and how to fetch it without a console. */
function Facts({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  const root = new URL(at.memory(workspace.id, memory.id).slice(1), new URL("..", document.baseURI)).href;
  return (
    <details>
      <summary>
        <h3>{words.memory.facts}</h3>
      </summary>
      <p>
        <Id id={memory.id} />
      </p>
      <Snippet text={JSON.stringify(memory, null, 2)} label={words.memory.json} />
      <Snippet text={`curl -H "Authorization: Bearer $ORGMEM_TOKEN" ${root}`} label={words.memory.curl} />
    </details>
  );
}
