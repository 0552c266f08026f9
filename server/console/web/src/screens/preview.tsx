// The effect of a change of the tree on who can read which memories, by workspace and scope, in the server's sentences.

import type { DryRun } from "../api/dry-run.ts";
import type { AffectedWorkspace, MemoryCounts, TreePreview } from "../api/types.ts";
import { SCOPES } from "../memories/filters.ts";
import { ScopeSign } from "../parts/icons.tsx";
import { ErrorMessage } from "../parts/confirm.tsx";
import { Skeleton, asSentence } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { strings } from "../strings.ts";

export function ImpactPreview({ dryRun }: { dryRun: DryRun<TreePreview> }) {
  if (dryRun.failure) return <ErrorMessage failure={dryRun.failure} isRead />;
  if (dryRun.isLoading) return <Skeleton rows={2} height={32} />;
  if (!dryRun.data) return null;
  const { affected, more } = dryRun.data;
  return (
    <section class="preview" role="status" aria-label={strings.preview.title}>
      <h3>{strings.preview.title}</h3>
      {affected.length === 0 && <p>{strings.preview.nothing}</p>}
      {affected.length > 0 && (
        <ul tabIndex={0} aria-label={strings.preview.affected(affected.length + more)}>
          {affected.map((one) => (
            <Affected key={one.workspace_id} one={one} />
          ))}
          {more > 0 && <li class="quiet">{strings.preview.more(more)}</li>}
        </ul>
      )}
    </section>
  );
}

function Affected({ one }: { one: AffectedWorkspace }) {
  return (
    <li>
      <span class="preview-name">
        <Stored>{one.name}</Stored>
        {one.removed && <span class="status bad"> {strings.preview.removed}</span>}
      </span>
      <span class="preview-counts">
        <Counts counts={one.gains} sign="+" name={strings.preview.gains} />
        <Counts counts={one.loses} sign="−" name={strings.preview.loses} />
      </span>
      <p>
        <bdi dir="ltr">{asSentence(one.summary)}</bdi>
      </p>
    </li>
  );
}

function Counts({ counts, sign, name }: { counts: MemoryCounts; sign: string; name: string }) {
  const given = SCOPES.map((scope) => [scope, counts[scope.toLowerCase() as keyof MemoryCounts]] as const);
  if (given.every(([, count]) => count === 0)) return null;
  return (
    <span class={`change ${sign === "+" ? "gain" : "loss"}`}>
      <strong>{name}</strong>
      {given.map(([scope, count]) =>
        count === 0 ? null : (
          <span key={scope} class={`scope ${scope.toLowerCase()}`}>
            <ScopeSign scope={scope} />
            <span>
              <span aria-hidden="true">{sign}</span>
              {count} {scope}
            </span>
          </span>
        ),
      )}
    </span>
  );
}
