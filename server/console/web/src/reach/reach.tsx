import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { ReachAnswer, ReachRow, Scope, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { Refused, Waiting } from "../parts/states.tsx";
import { goWith, useRoute, workspacePath } from "../route.ts";
import { words } from "../words.ts";
import { Ask } from "./ask.tsx";
import { Compare } from "./compare.tsx";

type Direction = "reads" | "read_by";

/** How many of one group are shown before one asks for all. */
const FEW = 30;

/** Whom this workspace reads, who reads it, and how it stands to another; the server's sentences. */
export function Reach({ workspace }: { workspace: Workspace }) {
  const { query } = useRoute();
  const reach = useResource<ReachAnswer>(at.reach(workspace.id));
  const other = query.get("with");
  return (
    <div class="reach">
      <Compare workspace={workspace} other={other ?? undefined} />
      <Ask key={query.get("ask")} workspace={workspace} memory={query.get("ask") ?? ""} query={query.get("q") ?? ""} />
      {reach.failure && <Refused failure={reach.failure} />}
      {!reach.data && !reach.failure && <Waiting rows={6} height={32} />}
      {reach.data && (
        <div class="reach-columns">
          <Side title={words.reach.sees(workspace.name)} rows={reach.data.reads} direction="reads" />
          <Side title={words.reach.seenBy(workspace.name)} rows={reach.data.read_by} direction="read_by" />
        </div>
      )}
    </div>
  );
}

/** One workspace with all its scopes. */
interface Gathered {
  id: string;
  name: string;
  scopes: Scope[];
  reasons: string[];
}

function gathered(rows: ReachRow[]): Gathered[] {
  const found = new Map<string, Gathered>();
  for (const { workspace_id: id, name, scope, reason } of rows) {
    const one = found.get(id) ?? { id, name, scopes: [], reasons: [] };
    one.scopes.push(scope);
    if (!one.reasons.includes(reason)) one.reasons.push(reason);
    found.set(id, one);
  }
  return [...found.values()];
}

const GROUPS = ["self", "parent", "sibling", "child", "org"] as const;

function Side({ title, rows, direction }: { title: string; rows: ReachRow[]; direction: Direction }) {
  return (
    <section>
      <h2>
        <bdi>{title}</bdi>
      </h2>
      {GROUPS.map((via) => (
        <Group key={via} via={via} direction={direction} rows={gathered(rows.filter((row) => row.via === via))} />
      ))}
    </section>
  );
}

interface GroupProps {
  via: (typeof GROUPS)[number];
  direction: Direction;
  rows: Gathered[];
}

function Group({ via, direction, rows }: GroupProps) {
  const { query } = useRoute();
  if (rows.length === 0) return null;
  const all = `all-${direction}-${via}`;
  const shown = query.has(all) ? rows : rows.slice(0, FEW);
  return (
    <>
      <h3>
        {words.reach.groups[direction][via]}
        <span class="quiet">{rows.length}</span>
      </h3>
      <ul class="reach-rows">
        {shown.map((row) => (
          <li key={row.id}>
            <span class="reach-name">
              <Link to={workspacePath(row.id, "reach")}>
                <bdi>{row.name}</bdi>
              </Link>
              <span class="reach-why">
                <bdi>{row.reasons.join("; ")}</bdi>
              </span>
            </span>
            <span class="reach-scopes">
              {row.scopes.map((scope) => (
                <ScopeChip key={scope} scope={scope} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <button type="button" class="button quiet" onClick={() => goWith({ [all]: "1" }, { replace: true })}>
          {words.reach.all(rows.length)}
        </button>
      )}
    </>
  );
}
