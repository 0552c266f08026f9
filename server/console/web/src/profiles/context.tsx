// The context block that an agent receives, its size, and the memories left out with the reasons.

import { useState } from "preact/hooks";
import { injectContext } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import type { Context, OmittedCandidate, Profile, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { ErrorMessage } from "../parts/confirm.tsx";
import { Button, Field, Link } from "../parts/controls.tsx";
import { asSentence } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content, Snippet } from "../parts/text.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";

interface ContextPreviewProps {
  workspace: Workspace;
  /** Undefined for a profile that is not created yet. */
  profile: Profile | undefined;
}

export function ContextPreview({ workspace, profile }: ContextPreviewProps) {
  const [query, setQuery] = useState("");
  const [context, setContext] = useState<Context>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const show = async (event: Event) => {
    event.preventDefault();
    if (isBusy || !profile) return;
    setBusy(true);
    setFailure(undefined);
    const given = query.trim() === "" ? {} : { query: query.trim() };
    try {
      setContext((await injectContext(workspace.id, { profile_id: profile.id, ...given })).data);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const { title, description, show: showLabel } = strings.context;
  if (!profile) {
    return (
      <section class="context">
        <h2>{title}</h2>
        <p class="quiet">{strings.context.unavailable}</p>
      </section>
    );
  }
  return (
    <section class="context">
      <h2>{title}</h2>
      <p class="quiet">{description}</p>
      <form onSubmit={(event) => void show(event)}>
        <Field label={strings.context.query} hint={strings.context.queryHint}>
          {(attributes) => (
            <input {...attributes} type="text" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
          )}
        </Field>
        <Button type="submit" isBusy={isBusy}>
          {showLabel}
        </Button>
      </form>
      <ErrorMessage failure={failure} isRead />
      {context && <Block workspace={workspace} profile={profile} context={context} />}
    </section>
  );
}

function Block({ workspace, profile, context }: { workspace: Workspace; profile: Profile; context: Context }) {
  const budget = profile.injection.token_budget ?? undefined;
  return (
    <div class="context-block" role="status">
      <h3>{strings.context.size(context.entries.length, context.tokens, budget)}</h3>
      {context.block === "" ? <p>{strings.context.empty}</p> : <Snippet text={context.block} label={strings.context.block} />}
      {context.left_out.length > 0 && (
        <>
          <h3>{strings.context.omitted(context.left_out.length)}</h3>
          <ul class="left-out">
            {context.left_out.map((each) => (
              <OmittedMemory key={each.memory_id} workspace={workspace} each={each} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Length of the server's excerpts, in characters. */
const EXCERPT = 120;

/** The excerpt, with an ellipsis where it was cut. */
function beginning(excerpt: string): string {
  return [...excerpt].length < EXCERPT ? excerpt : `${excerpt}…`;
}

function OmittedMemory({ workspace, each }: { workspace: Workspace; each: OmittedCandidate }) {
  return (
    <li>
      <Link to={`${workspacePath(workspace.id)}?m=${each.memory_id}`}>
        <Content text={beginning(each.excerpt ?? each.memory_id)} />
      </Link>
      <p class="memory-facts">
        <ScopeChip scope={each.scope} />
        <span class="fact">
          <Stored>{each.kind}</Stored>
        </span>
        <span>{strings.memory.confidenceOf(each.confidence)}</span>
      </p>
      <p>
        <bdi dir="ltr">{asSentence(each.reason)}</bdi>
      </p>
    </li>
  );
}
