import { useEffect, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { ReachResponse, ReachRow, ReachTotal, Scope, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Button, Link } from "../parts/controls.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { useRoute, workspacePath } from "../route.ts";
import { isolateRuns } from "../strings/isolate.ts";
import { strings } from "../strings.ts";
import { ExplainRecall } from "./explain.tsx";
import { Compare } from "./compare.tsx";

type Direction = "reads" | "read_by";

/** Workspaces per page of a group. A list never renders more than one page. */
const PAGE = 20;

/** The workspaces that this one can read, and those that can read it, in the server's sentences. */
export function Reach({ workspace }: { workspace: Workspace }) {
  const { query } = useRoute();
  const reach = useResource<ReachResponse>(endpoint.reach(workspace.id, { limit: 1 }));
  const other = query.get("with");
  return (
    <div class="reach">
      <Compare workspace={workspace} other={other ?? undefined} />
      <ExplainRecall workspace={workspace} memory={query.get("ask") ?? ""} query={query.get("q") ?? ""} />
      {reach.failure && <ErrorNotice failure={reach.failure} />}
      {!reach.data && !reach.failure && <Skeleton rows={6} height={32} />}
      {reach.data && (
        <div class="reach-columns">
          <Side workspace={workspace} title={strings.reach.canRead(workspace.name)} totals={reach.data.reads_totals} direction="reads" />
          <Side workspace={workspace} title={strings.reach.readBy(workspace.name)} totals={reach.data.read_by_totals} direction="read_by" />
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

interface SideProps {
  workspace: Workspace;
  title: string;
  totals: ReachTotal[];
  direction: Direction;
}

function Side({ workspace, title, totals, direction }: SideProps) {
  const byRelation = GROUPS.flatMap((via) => totals.find((total) => total.via === via) ?? []);
  return (
    <section>
      <h2>
        <bdi dir="ltr">{title}</bdi>
      </h2>
      {byRelation.map((total) => (
        <Group key={total.via} workspace={workspace} total={total} direction={direction} />
      ))}
    </section>
  );
}

interface GroupProps {
  workspace: Workspace;
  total: ReachTotal;
  direction: Direction;
}

/** The workspaces of one relation, a page at a time. */
function Group({ workspace, total, direction }: GroupProps) {
  const { via, workspaces } = total;
  // the paths of the pages up to this one; the cursor of the next is known with the page
  const first = endpoint.reach(workspace.id, { direction, via, limit: PAGE });
  const [paths, setPaths] = useState([first]);
  useEffect(() => setPaths([first]), [first]);
  const page = useResource<ReachResponse>(paths.at(-1));
  const before = (paths.length - 1) * PAGE;
  const rows = page.data && groupByWorkspace(page.data[direction]);
  return (
    <>
      <h3>
        {strings.reach.groups[direction][via]}
        <span class="quiet">{strings.reach.count(workspaces)}</span>
      </h3>
      {page.failure && <ErrorNotice failure={page.failure} />}
      {!rows && !page.failure && <Skeleton rows={Math.min(workspaces, 6)} height={32} />}
      <ul class="reach-rows" aria-busy={page.isLoading}>
        {rows?.map((row) => (
          <li key={row.id}>
            <span class="reach-name">
              <Link to={workspacePath(row.id, "reach")}>
                <Stored>{row.name}</Stored>
              </Link>
              <span class="reach-why">
                <bdi dir="ltr">{isolateRuns(row.reasons.join("; "))}</bdi>
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
      {workspaces > PAGE && rows && (
        <p class="pager">
          <Button disabled={paths.length === 1} onClick={() => setPaths(paths.slice(0, -1))}>
            {strings.reach.previous}
          </Button>
          <span role="status">{strings.reach.range(before + 1, before + rows.length, workspaces)}</span>
          <Button disabled={page.next === undefined} onClick={() => page.next && setPaths([...paths, page.next])}>
            {strings.reach.next}
          </Button>
        </p>
      )}
    </>
  );
}
