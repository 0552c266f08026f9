import { useEffect, useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Document, DocumentContent, Me, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { Facts } from "../parts/facts.tsx";
import { SideDrawer } from "../parts/side-drawer.tsx";
import { size } from "../parts/size.ts";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { pathWith, useRoute, workspacePath } from "../route.ts";
import { strings } from "../strings.ts";

/** Characters of the text that are shown at once. */
const PART = 20_000;

interface DocumentProps {
  me: Me;
  workspace: Workspace;
  id: string;
  /** The words to mark. */
  query: string;
  onClose: () => void;
}

/** One document: what it is, and its text by passages with their headings and offsets. */
export function DocumentDrawer({ me, workspace, id, query, onClose }: DocumentProps) {
  const document = useResource<Document>(endpoint.document(workspace.id, id));
  return (
    <SideDrawer label={strings.documents.document} title={document.data?.title ?? "\u00a0"} onClose={onClose}>
      {document.failure && !document.data && <ErrorNotice failure={document.failure} />}
      {!document.data && !document.failure && <Skeleton rows={4} />}
      {document.data && (
        <>
          <About document={document.data} />
          <Text me={me} workspace={workspace} document={document.data} query={query} />
        </>
      )}
    </SideDrawer>
  );
}

function About({ document }: { document: Document }) {
  return (
    <>
      <p class="drawer-facts">
        <ScopeChip scope={document.scope} />
        <span>{strings.documents.via[document.via]}</span>
        <Time at={document.updated_at} />
      </p>
      <Facts
        facts={[
          [
            strings.documents.storedBy,
            <Link to={workspacePath(document.workspace_id, "knowledge")}>
              <Stored>{document.workspace_name}</Stored>
            </Link>,
          ],
          [strings.documents.collection, document.collection && <Filtered name="collection" value={document.collection} />],
          [strings.documents.type, <Filtered name="media_type" value={document.media_type} />],
          [strings.documents.author, document.author && <Stored>{document.author}</Stored>],
          // an address is stored text, and never a link
          [strings.documents.source, document.source_uri && <Stored>{document.source_uri}</Stored>],
          [strings.documents.tags, document.tags.length > 0 && <Stored>{document.tags.map((tag) => `#${tag}`).join(" ")}</Stored>],
          [strings.documents.size, `${strings.documents.length(document.chars, size(document.bytes))}, ${strings.documents.passages(document.passages)}`],
          [strings.documents.version, document.version],
          [strings.documents.expires, document.expires_at && <Time at={document.expires_at} />],
        ]}
      />
      <Id id={document.id} />
    </>
  );
}

/** A link to the list with this filter. */
function Filtered({ name, value }: { name: "collection" | "media_type"; value: string }) {
  return (
    <Link to={pathWith({ [name]: value, document: undefined, at: undefined, from: undefined, q: undefined })}>
      <Stored>{value}</Stored>
    </Link>
  );
}

interface TextProps {
  me: Me;
  workspace: Workspace;
  document: Document;
  query: string;
}

/** A part of the text: that of the address, or the one with the passage of the address. */
function Text({ me, workspace, document, query }: TextProps) {
  const address = useRoute().query;
  const at = whole(address.get("at"));
  const from = whole(address.get("from")) ?? Math.floor((at ?? 0) / PART) * PART;
  // the version makes a changed document another part
  const part = useResource<DocumentContent>(endpoint.documentText(workspace.id, document.id, { from, length: PART }));
  return (
    <section aria-label={strings.documents.text}>
      {part.failure && !part.data && <ErrorNotice failure={part.failure} />}
      {!part.data && !part.failure && <Skeleton rows={4} />}
      {part.data && (
        <>
          <Pager part={part.data} />
          {me.role === "agent" ? (
            // the text for agents is quoted, so its offsets are not those of the passages
            <pre class="passage-text">
              <Content text={part.data.content} query={query} />
            </pre>
          ) : (
            <Passages part={part.data} at={at} query={query} />
          )}
          <Pager part={part.data} />
        </>
      )}
    </section>
  );
}

const whole = (text: string | null) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined);

/** The neighbours of the part; nothing where it is the whole text. */
function Pager({ part: { from, length, chars, next } }: { part: DocumentContent }) {
  if (from === 0 && next == null) return null;
  return (
    <p class="text-pager">
      {from > 0 && <Link to={pathWith({ from: String(Math.max(0, from - PART)), at: undefined })}>{strings.documents.previous}</Link>}
      <span class="hint">{strings.documents.part(from, from + length, chars)}</span>
      {next != null && <Link to={pathWith({ from: String(next), at: undefined })}>{strings.documents.next}</Link>}
    </p>
  );
}

function Passages({ part, at, query }: { part: DocumentContent; at: number | undefined; query: string }) {
  const shown = useRef<HTMLLIElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: "start" }), [at, part]);
  // offsets count characters, not UTF-16 units
  const characters = [...part.content];
  const isGone = at !== undefined && !part.passages.some((passage) => passage.from === at);
  return (
    <>
      {isGone && <p class="notice">{strings.documents.gone(at.toLocaleString())}</p>}
      <ol class="passages">
        {part.passages.map(({ id, heading, from, length }) => (
          <li key={id} ref={from === at ? shown : null} class={from === at ? "open" : ""}>
            <p class="memory-facts">
              <Link to={pathWith({ at: String(from) })} aria-current={from === at ? "page" : undefined}>
                {strings.documents.place(from, length)}
              </Link>
              {heading.length > 0 && (
                <span>
                  <Stored>{heading.join(" › ")}</Stored>
                </span>
              )}
            </p>
            <div class="passage-text">
              <Content text={characters.slice(Math.max(0, from - part.from), from + length - part.from).join("").trim()} query={query} />
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
