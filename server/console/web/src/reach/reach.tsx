import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { ReachResponse, ReachRow, Scope, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { goWith, useRoute, workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import { ExplainRecall } from "./explain.tsx";
import { Compare } from "./compare.tsx";

type Direction = "reads" | "read_by";

/** Rows per group before "Show all". */
const FEW = 30;

/** The workspaces that this one can read, and those that can read it, in the server's sentences. */
export function Reach({ workspace }: { workspace: Workspace }) {
  const { query } = useRoute();
  const reach = useResource<ReachResponse>(endpoint.reach(workspace.id));
  const other = query.get("with");
  return (
    <div class="reach">
      <Compare workspace={workspace} other={other ?? undefined} />
      <ExplainRecall key={query.get("ask")} workspace={workspace} memory={query.get("ask") ?? ""} query={query.get("q") ?? ""} />
      {reach.failure && <ErrorNotice failure={reach.failure} />}
      {!reach.data && !reach.failure && <Skeleton rows={6} height={32} />}
      {reach.data && (
        <div class="reach-columns">
          <Side title={strings.reach.canRead(workspace.name)} rows={reach.data.reads} direction="reads" />
          <Side title={strings.reach.readBy(workspace.name)} rows={reach.data.read_by} direction="read_by" />
        </div>
      )}
    </div>
  );
}

/** One workspace with all its scopes. */
interface ReachableWorkspace {
  id: string;
  name: string;
  scopes: Scope[];
  reasons: string[];
}

function groupByWorkspace(rows: ReachRow[]): ReachableWorkspace[] {
  const found = new Map<string, ReachableWorkspace>();
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
        <Group key={via} via={via} direction={direction} rows={groupByWorkspace(rows.filter((row) => row.via === via))} />
      ))}
    </section>
  );
}

interface GroupProps {
  via: (typeof GROUPS)[number];
  direction: Direction;
  rows: ReachableWorkspace[];
}

function Group({ via, direction, rows }: GroupProps) {
  const { query } = useRoute();
  if (rows.length === 0) return null;
  const all = `all-${direction}-${via}`;
  const shown = query.has(all) ? rows : rows.slice(0, FEW);
  return (
    <>
      <h3>
        {strings.reach.groups[direction][via]}
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
          {strings.reach.all(rows.length)}
        </button>
      )}
    </>
  );
}
