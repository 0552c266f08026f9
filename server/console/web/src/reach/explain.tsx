// Why a workspace recalls a memory, or not: the one cause, in the server's sentence.

import { useEffect, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Memory, RecallExplanation, Workspace } from "../api/types.ts";
import { Button, Field, Link } from "../parts/controls.tsx";
import { isId } from "../parts/ids.ts";
import { ErrorNotice, Skeleton, asSentence } from "../parts/states.tsx";
import { ScoreParts } from "../parts/score.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, workspacePath } from "../route.ts";
import { strings } from "../strings.ts";

/** How many characters identify a memory. */
const SHOWN = 260;

interface ExplainRecallProps {
  workspace: Workspace;
  /** An id, or words of the content; empty without a question. */
  memory: string;
  query: string;
}

export function ExplainRecall({ workspace, memory, query }: ExplainRecallProps) {
  const [about, setAbout] = useState(memory);
  const [searched, setSearched] = useState(query);
  // another address fills the fields; the focus stays in them
  useEffect(() => {
    setAbout(memory);
    setSearched(query);
  }, [memory, query]);
  const submit = (event: Event) => {
    event.preventDefault();
    goWith({ ask: about.trim(), q: searched.trim() });
  };
  return (
    <section class="ask" aria-label={strings.explain.title(workspace.name)}>
      <h2>
        <bdi dir="ltr">{strings.explain.title(workspace.name)}</bdi>
      </h2>
      <form onSubmit={submit}>
        <Field label={strings.explain.memory} hint={strings.explain.memoryHint}>
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
        <Field label={strings.explain.query} hint={strings.explain.queryHint}>
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
        <Button type="submit">{strings.explain.submit}</Button>
      </form>
      {memory !== "" && (isId(memory) ? (
        <Explanation workspace={workspace} memory={memory} query={query} />
      ) : (
        <Candidates workspace={workspace} text={memory} query={query} />
      ))}
    </section>
  );
}

function Explanation({ workspace, memory, query }: ExplainRecallProps) {
  const why = useResource<RecallExplanation>(endpoint.why(workspace.id, memory, query === "" ? undefined : query));
  if (why.failure) return <ErrorNotice failure={why.failure} />;
  if (!why.data) return <Skeleton rows={2} height={28} />;
  const { cause, reason, readable, since, superseded_by: replacement, score, parts } = why.data;
  return (
    <div class="explanation" role="status">
      <p class={`cause ${cause === "found" ? "yes" : ""}`}>{strings.causes[cause]}</p>
      <p class="sentence">
        <bdi dir="ltr">{asSentence(reason)}</bdi> {since && <Time at={since} />}
      </p>
      <p class="explanation-links">
        {readable && <Link to={`${workspacePath(workspace.id)}?${new URLSearchParams({ m: memory, ...(query === "" ? {} : { q: query }) })}`}>{strings.explain.open}</Link>}
        {replacement && (
          <Link to={`${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: replacement, q: query })}`}>
            {strings.explain.replacement}
          </Link>
        )}
        <Id id={memory} />
        {score !== undefined && score !== null && <span class="quiet">{strings.score.of(score)}</span>}
      </p>
      <ScoreParts parts={parts ?? []} />
    </div>
  );
}

/** The memories that match the given words. */
function Candidates({ workspace, text, query }: { workspace: Workspace; text: string; query: string }) {
  const found = useResource<Memory[]>(endpoint.memories(workspace.id, { q: text, limit: 5 }));
  if (found.failure) return <ErrorNotice failure={found.failure} />;
  if (!found.data) return <Skeleton rows={2} height={28} />;
  if (found.data.length === 0) {
    return (
      <p class="quiet" role="status">
        <bdi dir="ltr">{strings.explain.none(workspace.name)}</bdi>
      </p>
    );
  }
  return (
    <>
      <h3>{strings.explain.select}</h3>
      <ul class="candidates">
        {found.data.map((memory) => (
          <li key={memory.id}>
            <Link to={`${workspacePath(workspace.id, "reach")}?${new URLSearchParams({ ask: memory.id, q: query })}`}>
              <Content text={memory.content.slice(0, SHOWN)} query={text} />
            </Link>
            <span class="quiet">
              <Stored>{memory.workspace_name}</Stored>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
