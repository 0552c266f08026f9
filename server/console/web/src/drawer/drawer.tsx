import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { refresh, useResource } from "../api/resource.ts";
import type { Me, Memory, Tombstone, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Button, IconButton, Link } from "../parts/controls.tsx";
import { CloseIcon, Pin } from "../parts/icons.tsx";
import { Outdated } from "../parts/outdated.tsx";
import { Skeleton, asSentence } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Copy, Id, Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { hasUnsaved } from "../parts/unsaved.tsx";
import { pathWith, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { UnreadableMemory } from "./unreadable.tsx";
import { Access } from "./access.tsx";
import { Edit } from "./edit.tsx";
import { AttributesForm, updateAttributes } from "./attributes.tsx";
import { History } from "./history.tsx";
import { DeleteMemory, Redact } from "./redact-delete.tsx";
import { Visibility } from "./visibility.tsx";

interface DrawerProps {
  me: Me;
  workspace: Workspace;
  id: string;
  query: string;
  /** The words to mark: those of the query, and what they were understood as. */
  marked: string;
  onClose: () => void;
}

const isTombstone = (read: Memory | Tombstone | undefined): read is Tombstone => read !== undefined && "is_redacted" in read;

/** The drawer of one memory. */
export function Drawer({ me, workspace, id, query, marked, onClose }: DrawerProps) {
  const memory = useResource<Memory | Tombstone>(endpoint.memory(workspace.id, id));
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  // the memory stays visible while the server is unreachable, and disappears when the server no longer has it
  const stays = memory.data !== undefined && (memory.failure === undefined || memory.failure.isTransient);
  const tombstone = isTombstone(memory.data) ? memory.data : undefined;
  const isGone = (memory.failure !== undefined && !stays) || tombstone !== undefined;
  const [, redraw] = useState(0);
  const last = useRef<Memory | undefined>(undefined);
  if (memory.data !== undefined && !isTombstone(memory.data)) last.current = memory.data;
  // text that the user has typed stays, even if the memory is gone
  const shown = isGone && !hasUnsaved() ? undefined : last.current;
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={strings.memory.title}>
      <header>
        <h2>{strings.memory.title}</h2>
        {shown && !isGone && !memory.failure && <Copy text={shown.content} label={strings.memory.copy} />}
        <IconButton label={strings.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <Outdated isOutdated={memory.isOutdated && !memory.failure} reload={() => refresh(endpoint.memory(workspace.id, id))} />
      {isGone && (
        <UnreadableMemory workspace={workspace} id={id} failure={memory.failure} redactedAt={tombstone?.redacted_at} />
      )}
      {!memory.data && !memory.failure && <Skeleton rows={4} />}
      {shown && <MemoryDetails me={me} workspace={workspace} memory={shown} query={query} marked={marked} isGone={isGone} onEnd={() => redraw((count) => count + 1)} />}
    </aside>
  );
}

interface MemoryDetailsProps {
  me: Me;
  workspace: Workspace;
  memory: Memory;
  query: string;
  marked: string;
  /** Whether the server no longer has it. */
  isGone: boolean;
  onEnd: () => void;
}

function MemoryDetails({ me, workspace, memory, query, marked, isGone, onEnd }: MemoryDetailsProps) {
  const [doing, begin] = useState<"edit" | "file" | "redact" | "forget">();
  const isEditing = doing === "edit" || doing === "file";
  const end = () => {
    begin(undefined);
    onEnd();
  };
  const { can } = memory;
  const canEdit = can?.edit === true;
  useKeys({
    "e": () => (canEdit && doing === undefined ? begin("edit") : false),
    "r": () => (can?.redact === true && doing === undefined ? begin("redact") : false),
  });
  return (
    <div class="drawer-body">
      <p class="drawer-facts">
        <ScopeChip scope={memory.scope} />
        {memory.pin && (
          <span class="pinned">
            <Pin />
            {strings.memory.pinned}
          </span>
        )}
        <span class="fact">
          <Stored>{memory.kind}</Stored>
        </span>
        <span class="fact">
          <Stored>{memory.namespace}</Stored>
        </span>
        <span class="fact">{strings.memory.confidenceOf(memory.confidence)}</span>
      </p>
      {doing === "edit" ? (
        <Edit workspace={workspace} memory={memory} onDone={end} />
      ) : isGone ? null : (
        <>
          {memory.title && (
            <h3>
              <Content text={memory.title} query={marked} />
            </h3>
          )}
          <p class="content">
            <Content text={memory.content} query={marked} />
          </p>
          {!isEditing && <Actions me={me} workspace={workspace} memory={memory} begin={begin} />}
        </>
      )}
      {doing === "file" && <AttributesForm workspace={workspace} memory={memory} onDone={end} />}
      {doing === "redact" && <Redact workspace={workspace} memory={memory} onClose={end} />}
      {doing === "forget" && <DeleteMemory workspace={workspace} memory={memory} onClose={end} />}
      {!isGone && <MemoryParts me={me} workspace={workspace} memory={memory} query={query} canEdit={canEdit} />}
    </div>
  );
}

interface MemoryPartsProps extends Pick<MemoryDetailsProps, "me" | "workspace" | "memory" | "query"> {
  canEdit: boolean;
}

/** Everything but the content and the actions. */
function MemoryParts({ me, workspace, memory, query, canEdit }: MemoryPartsProps) {
  return (
    <>
      {memory.tags.length > 0 && (
        <ul class="tags" aria-label={strings.memory.tags}>
          {memory.tags.map((tag) => (
            <li key={tag}>
              <Link to={`${workspacePath(workspace.id)}?tag=${encodeURIComponent(tag)}`}>
                <Stored>#{tag}</Stored>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <Visibility workspace={workspace} memory={memory} query={query} />
      <Provenance workspace={workspace} memory={memory} />
      <History workspace={workspace} memory={memory} canEdit={canEdit} />
      {may(me, "read_access_log") && <Access workspace={workspace} id={memory.id} />}
      <RawData workspace={workspace} memory={memory} />
    </>
  );
}

interface ActionsProps {
  me: Me;
  workspace: Workspace;
  memory: Memory;
  begin: (what: "edit" | "file" | "redact" | "forget") => void;
}

/**
 * The actions on a memory. Actions that the role never permits are absent; actions that are not permitted here show
 * the server's reason.
 */
function Actions({ me, workspace, memory, begin }: ActionsProps) {
  const { can } = memory;
  if (!can) return null;
  const no = can.why_not ?? {};
  const whys = new Set<string>();
  const offered = (action: string, isAllowed: boolean, why: string | null | undefined) => {
    if (!may(me, action)) return false;
    if (!isAllowed && why) whys.add(why);
    return isAllowed;
  };
  const canEdit = offered("write_memories", can.edit, no.edit);
  const canRedact = offered("redact_memories", can.redact, no.redact);
  const canForget = offered("forget_memories", can.delete, no.delete);
  if (!canEdit && !canRedact && !canForget && whys.size === 0) return null;
  return (
    <div class="actions">
      {canEdit && <Button onClick={() => begin("edit")}>{strings.edit.do}</Button>}
      {canEdit && (
        <Button onClick={() => void updateAttributes(workspace, memory, { pin: !memory.pin }, { pin: memory.pin })}>
          {memory.pin ? strings.attributes.unpin : strings.attributes.pin}
        </Button>
      )}
      {canEdit && <Button onClick={() => begin("file")}>{strings.attributes.do}</Button>}
      {canRedact && <Button onClick={() => begin("redact")}>{strings.redact.ask}</Button>}
      {canForget && <Button onClick={() => begin("forget")}>{strings.deletion.ask}</Button>}
      {[...whys].map((why) => (
        <p key={why} class="quiet">
          <bdi dir="ltr">{asSentence(why)}</bdi>
        </p>
      ))}
    </div>
  );
}

/** The origin of a memory, with links. */
function Provenance({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  const rows: Array<[string, preact.ComponentChildren]> = [
    [
      strings.memory.author,
      <Link to={workspacePath(memory.workspace_id)}>
        <Stored>{memory.workspace_name}</Stored>
      </Link>,
    ],
    [strings.memory.source, strings.memory.sourceOf(memory.source, memory.role)],
    [strings.memory.written, <Time at={memory.created_at} />],
  ];
  if (memory.version > 1) {
    rows.push([strings.memory.changed, <>{strings.memory.version(memory.version)}, <Time at={memory.updated_at} /></>]);
  }
  if (memory.expires_at) rows.push([strings.memory.expires, <Time at={memory.expires_at} />]);
  rows.push([strings.filters.names.tier, <Filtered workspace={workspace} name="tier" value={memory.tier} />]);
  if (memory.subject) rows.push([strings.memory.subject, <Filtered workspace={workspace} name="subject" value={memory.subject} />]);
  if (memory.session_id) {
    rows.push([strings.memory.session, <Filtered workspace={workspace} name="session_id" value={memory.session_id} />]);
  }
  if (memory.run_id) rows.push([strings.memory.run, <Filtered workspace={workspace} name="run_id" value={memory.run_id} />]);
  if (memory.supersedes) {
    rows.push([strings.memory.supersedes, <Link to={pathWith({ m: memory.supersedes })}>{memory.supersedes}</Link>]);
  }
  return (
    <details open>
      <summary>
        <h3>{strings.memory.provenance}</h3>
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
      <Stored>{value}</Stored>
    </Link>
  );
}

/** All fields as JSON, and a command that fetches them. */
function RawData({ workspace, memory }: { workspace: Workspace; memory: Memory }) {
  const root = new URL(endpoint.memory(workspace.id, memory.id).slice(1), new URL("..", document.baseURI)).href;
  return (
    <details>
      <summary>
        <h3>{strings.memory.rawData}</h3>
      </summary>
      <p>
        <Id id={memory.id} />
      </p>
      <Snippet text={JSON.stringify(memory, null, 2)} label={strings.memory.json} />
      <Snippet text={`curl -H "Authorization: Bearer $ORGMEM_TOKEN" ${root}`} label={strings.memory.curl} />
    </details>
  );
}
