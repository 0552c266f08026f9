// Why does this workspace recall a memory, or why not? The one cause, in the server's sentence, with what would change it.

import { useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Memory, Why, Workspace } from "../api/types.ts";
import { Button, Field, Link } from "../parts/controls.tsx";
import { isId } from "../parts/ids.ts";
import { Refused, Waiting, sentence } from "../parts/states.tsx";
import { ScoreParts } from "../parts/score.tsx";
import { Content, Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, workspacePath } from "../route.ts";
import { words } from "../words.ts";

/** How much of a content shows which memory it is. */
const SHOWN = 260;

interface AskProps {
  workspace: Workspace;
  /** The id of the memory that is asked about, or words of it; empty when nothing is asked. */
  memory: string;
  query: string;
}

export function Ask({ workspace, memory, query }: AskProps) {
  const [about, setAbout] = useState(memory);
  const [searched, setSearched] = useState(query);
  const submit = (event: Event) => {
    event.preventDefault();
    goWith({ ask: about.trim(), q: searched.trim() });
  };
  return (
    <section class="ask" aria-label={words.ask.title(workspace.name)}>
      <h2>
        <bdi>{words.ask.title(workspace.name)}</bdi>
      </h2>
      <form onSubmit={submit}>
        <Field label={words.ask.memory} hint={words.ask.memoryHint}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              required
              spellcheck={false}
              value={about}
              onInput={(event) => setAbout(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={words.ask.query} hint={words.ask.queryHint}>
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              spellcheck={false}
              value={searched}
              onInput={(event) => setSearched(event.currentTarget.value)}
            />
          )}
        </Field>
        <Button type="submit">{words.ask.do}</Button>
      </form>
      {memory !== "" && (isId(memory) ? (
        <Answered workspace={workspace} memory={memory} query={query} />
      ) : (
        <Candidates workspace={workspace} text={memory} query={query} />
      ))}
    </section>
  );
}

function Answered({ workspace, memory, query }: AskProps) {
  const why = useResource<Why>(at.why(workspace.id, memory, query === "" ? undefined : query));
  if (why.failure) return <Refused failure={why.failure} />;
  if (!why.data) return <Waiting rows={2} height={28} />;
  const { cause, reason, readable, since, superseded_by: replacement, score, parts } = why.data;
  return (
    <div class="answered" role="status">
      <p class={`cause ${cause === "found" ? "yes" : ""}`}>{words.causes[cause]}</p>
      <p class="sentence">
        <bdi>{sentence(reason)}</bdi> {since && <Time at={since} />}
      </p>
      <p class="answered-links">
        {readable && <Link to={`${workspacePath(workspace.id)}?${new URLSearchParams({ m: memory, ...(query === "" ? {} : { q: query }) })}`}>{words.ask.open}</Link>}
        {replacement && (
          <Link to={`${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: replacement, q: query })}`}>
            {words.ask.replacement}
          </Link>
        )}
        <Id id={memory} />
        {score !== undefined && score !== null && <span class="quiet">{words.score.of(score)}</span>}
      </p>
      <ScoreParts parts={parts ?? []} />
    </div>
  );
}

/** Some words of it were given: those that it may be. */
function Candidates({ workspace, text, query }: { workspace: Workspace; text: string; query: string }) {
  const found = useResource<Memory[]>(at.memories(workspace.id, { q: text, limit: 5 }));
  if (found.failure) return <Refused failure={found.failure} />;
  if (!found.data) return <Waiting rows={2} height={28} />;
  if (found.data.length === 0) {
    return (
      <p class="quiet" role="status">
        <bdi>{words.ask.none(workspace.name)}</bdi>
      </p>
    );
  }
  return (
    <>
      <h3>{words.ask.which}</h3>
      <ul class="candidates">
        {found.data.map((memory) => (
          <li key={memory.id}>
            <Link to={`${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: memory.id, q: query })}`}>
              <Content text={memory.content.slice(0, SHOWN)} query={text} />
            </Link>
            <span class="quiet">
              <bdi>{memory.workspace_name}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
