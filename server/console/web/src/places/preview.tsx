// What a change of the tree would do to who reads what, before it is made: by workspace and scope, in the server's words.

import type { Trial } from "../api/trial.ts";
import type { AffectedWorkspace, MemoryCounts, TreePreview } from "../api/types.ts";
import { SCOPES } from "../memories/filters.ts";
import { ScopeSign } from "../parts/icons.tsx";
import { Fault } from "../parts/confirm.tsx";
import { Waiting, sentence } from "../parts/states.tsx";
import { words } from "../words.ts";

/** What is known of it so far. */
export function Preview({ trial }: { trial: Trial<TreePreview> }) {
  if (trial.failure) return <Fault failure={trial.failure} />;
  if (trial.isLoading) return <Waiting rows={2} height={32} />;
  if (!trial.data) return null;
  const { affected, more } = trial.data;
  return (
    <section class="preview" role="status" aria-label={words.preview.title}>
      <h3>{words.preview.title}</h3>
      {affected.length === 0 && <p>{words.preview.nothing}</p>}
      {affected.length > 0 && (
        <ul tabIndex={0} aria-label={words.preview.affected(affected.length + more)}>
          {affected.map((one) => (
            <Affected key={one.workspace_id} one={one} />
          ))}
          {more > 0 && <li class="quiet">{words.preview.more(more)}</li>}
        </ul>
      )}
    </section>
  );
}

function Affected({ one }: { one: AffectedWorkspace }) {
  return (
    <li>
      <span class="preview-name">
        <bdi>{one.name}</bdi>
        {one.removed && <span class="status bad"> {words.preview.removed}</span>}
      </span>
      <span class="preview-counts">
        <Counts counts={one.gains} sign="+" name={words.preview.gains} />
        <Counts counts={one.loses} sign="−" name={words.preview.loses} />
      </span>
      <p>
        <bdi>{sentence(one.summary)}</bdi>
      </p>
    </li>
  );
}

function Counts({ counts, sign, name }: { counts: MemoryCounts; sign: string; name: string }) {
  const given = SCOPES.map((scope) => [scope, counts[scope.toLowerCase() as keyof MemoryCounts]] as const);
  return (
    <>
      {given.map(([scope, count]) =>
        count === 0 ? null : (
          <span key={scope} class={`scope ${scope.toLowerCase()}`}>
            <ScopeSign scope={scope} />
            <span>
              <span class="unseen">{name} </span>
              <span aria-hidden="true">{sign}</span>
              {count} {scope}
            </span>
          </span>
        ),
      )}
    </>
  );
}
