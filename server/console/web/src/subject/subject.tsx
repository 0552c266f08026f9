import { useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { Episode, Me, Memory, MemoryCount, Page, Receipt, Workspace } from "../api/types.ts";
import { MemoryRow } from "../memories/row.tsx";
import { Button, Field, Link } from "../parts/controls.tsx";
import { Empty } from "../parts/states.tsx";
import { Content, Id, Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, useRoute, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { EraseDialog } from "./erase-dialog.tsx";
import { Grants } from "./grants.tsx";
import { Rows } from "./rows.tsx";

/** Everything that a workspace holds about one end user, its export, and its erasure. */
export function Subject({ me, workspace }: { me: Me; workspace: Workspace }) {
  const subject = useRoute().query.get("subject") ?? "";
  return (
    <div class="subject-view">
      <SubjectForm key={subject} subject={subject} />
      {subject === "" ? <NoSubject me={me} workspace={workspace} /> : <Holdings key={subject} me={me} workspace={workspace} subject={subject} />}
    </div>
  );
}

function SubjectForm({ subject }: { subject: string }) {
  const [text, setText] = useState(subject);
  const show = (event: Event) => {
    event.preventDefault();
    goWith({ subject: text.trim() });
  };
  return (
    <form class="subject" onSubmit={show} role="search">
      <Field label={strings.subject.field} hint={strings.subject.hint}>
        {(attributes) => (
          <input {...attributes} type="search" maxLength={200} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        )}
      </Field>
      <Button type="submit">{strings.subject.show}</Button>
    </form>
  );
}

function NoSubject({ me, workspace }: { me: Me; workspace: Workspace }) {
  return (
    <>
      <Empty title={strings.subject.none}>
        <p>{strings.subject.how}</p>
        <Snippet text={`orgmem commit "Prefers mail to calls." -w ${workspace.id} --subject ada`} label={strings.subject.how} />
      </Empty>
      <Grants me={me} workspace={workspace} />
    </>
  );
}

interface HoldingsProps {
  me: Me;
  workspace: Workspace;
  subject: string;
}

function Holdings({ me, workspace, subject }: HoldingsProps) {
  const [isErasing, ask] = useState(false);
  const [receipt, setReceipt] = useState<Receipt>();
  const command = `orgmem export ${quoted(`${subject}.jsonl`)} --org ${workspace.org_id} --subject ${quoted(subject)}`;
  return (
    <>
      <p class="hint">
        <bdi dir="ltr">{strings.subject.scope(workspace.name)}</bdi>
      </p>
      {receipt && (
        <p class="notice" role="status">
          {strings.subject.done(receipt)} {strings.subject.receipt} <Id id={receipt.id} />
        </p>
      )}
      <Memories workspace={workspace} subject={subject} />
      <SubjectPages workspace={workspace} subject={subject} />
      <Episodes workspace={workspace} subject={subject} />
      <Grants me={me} workspace={workspace} subject={subject} />
      <section>
        <h2>{strings.subject.export}</h2>
        <p>{strings.subject.exportHow}</p>
        <Snippet text={command} label={strings.subject.export} />
        {may(me, "erase") ? (
          <Button kind="danger" onClick={() => ask(true)}>
            {strings.subject.erase}
          </Button>
        ) : (
          <p class="hint">{strings.subject.eraseHow}</p>
        )}
      </section>
      {isErasing && <EraseDialog workspace={workspace} subject={subject} onErased={setReceipt} onClose={() => ask(false)} />}
    </>
  );
}

/** A word of a shell command. */
const quoted = (text: string) => (/^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

interface PartProps {
  workspace: Workspace;
  subject: string;
}

function Memories({ workspace, subject }: PartProps) {
  const list = `${workspacePath(workspace.id)}?${new URLSearchParams({ subject })}`;
  const pages = usePages<Memory>(endpoint.memories(workspace.id, { subject, limit: 20 }));
  const count = useResource<MemoryCount>(endpoint.count(workspace.id, { subject })).data?.count;
  return (
    <section aria-labelledby="subject-memories">
      <h2 id="subject-memories">
        {strings.subject.memories} <span class="quiet">{count === undefined ? strings.unknown : count.toLocaleString()}</span>
      </h2>
      <Rows pages={pages} none={strings.subject.noMemories(workspace.name)}>
        <ul class="memories">
          {pages.rows?.map((memory) => (
            <MemoryRow
              key={memory.id}
              memory={memory}
              query=""
              author={memory.workspace_id === workspace.id ? undefined : memory.workspace_name}
              to={`${list}&m=${memory.id}`}
            />
          ))}
        </ul>
        <p>
          <Link to={list}>{strings.subject.inList}</Link>
        </p>
      </Rows>
    </section>
  );
}

function SubjectPages({ workspace, subject }: PartProps) {
  const view = `${workspacePath(workspace.id, "pages")}?${new URLSearchParams({ subject })}`;
  const pages = usePages<Page>(endpoint.pages(workspace.id, { subject, limit: 20 }));
  return (
    <section aria-labelledby="subject-pages">
      <h2 id="subject-pages">{strings.subject.pages}</h2>
      <Rows pages={pages} none={strings.subject.noPages}>
        <ul class="page-cards">
          {pages.rows?.map((page) => (
            <li key={page.id}>
              <Link to={`${view}&page=${page.id}`}>
                <Content text={page.content.split("\n")[0]?.slice(0, 160) || page.outcome || page.session_id} />
              </Link>
              <p class="memory-facts">
                <span>{strings.pages.tiers[page.tier]}</span>
                <span>{strings.pages.confidence(page.confidence)}</span>
                <span>{strings.pages.sourcesOf(page.source_count)}</span>
                <Time at={page.last_at} />
              </p>
            </li>
          ))}
        </ul>
        <p>
          <Link to={view}>{strings.subject.inTiers}</Link>
        </p>
      </Rows>
    </section>
  );
}

function Episodes({ workspace, subject }: PartProps) {
  const pages = usePages<Episode>(endpoint.activity(workspace.id, { subject, limit: 20 }));
  return (
    <section aria-labelledby="subject-episodes">
      <h2 id="subject-episodes">{strings.subject.episodes}</h2>
      <Rows pages={pages} none={strings.subject.noEpisodes}>
        <ul class="page-cards">
          {pages.rows?.map((episode) => (
            <li key={episode.id}>
              {episode.is_redacted ? <span class="status">{strings.subject.redacted}</span> : <Content text={episode.summary ?? ""} />}
              <p class="memory-facts">
                {[episode.activity_type, episode.actor, episode.channel].map((fact, at) => fact && <span key={at}><Content text={fact} /></span>)}
                <Time at={episode.created_at} />
              </p>
            </li>
          ))}
        </ul>
      </Rows>
    </section>
  );
}
