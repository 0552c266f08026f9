import { useWindow } from "../api/pages.ts";
import type { AdminTree, Attention, OrgDay, OrgSummary } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { Spark } from "../parts/spark.tsx";
import { asSentence } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Time } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { recentPlaces } from "../recent.ts";
import { strings } from "../strings.ts";

/** How many orgs are rendered at once: each has three charts. */
const WINDOW = 40;

/** What calls for an action, as the server says it; nothing in a healthy system. */
export function AttentionList({ attention }: { attention: Attention[] }) {
  const view = useWindow(attention, "", { size: WINDOW, at: "start" });
  if (attention.length === 0) return <p class="quiet">{strings.home.healthy}</p>;
  return (
    <section class="attention" aria-label={strings.home.attention}>
      <h2>{strings.home.attention}</h2>
      <Earlier pages={view} />
      <ul>
        {view.rows?.map(({ kind, org_id, detail }) => (
          <li key={`${kind} ${org_id}`}>
            <bdi dir="ltr">{asSentence(detail)}</bdi>{" "}
            <Link to={org_id ? `${workspacePath(org_id, "access")}?action=finish_run` : "system"}>{strings.home.look}</Link>
          </li>
        ))}
      </ul>
      <More pages={view} />
    </section>
  );
}

/** The workspaces that were visited last in this browser. */
export function RecentPlaces() {
  const places = recentPlaces();
  if (places.length === 0) return null;
  return (
    <section class="recent" aria-label={strings.home.recent}>
      <h2>{strings.home.recent}</h2>
      <ul>
        {places.map(({ id, name }) => (
          <li key={id}>
            <Link to={workspacePath(id)}>
              <Stored>{name}</Stored>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function OrgTable({ orgs }: Pick<AdminTree, "orgs">) {
  const view = useWindow(orgs, "", { size: WINDOW, at: "start" });
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={strings.orgs.title}>
      <Earlier pages={view} />
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{strings.orgs.name}</th>
            <th scope="col" class="number">
              {strings.system.workspaces}
            </th>
            <th scope="col" class="number">
              {strings.system.memories}
            </th>
            <th scope="col">{strings.home.committed}</th>
            <th scope="col">{strings.home.writes}</th>
            <th scope="col">{strings.home.reads}</th>
            <th scope="col">{strings.orgs.created}</th>
          </tr>
        </thead>
        <tbody>
          {view.rows?.map((org) => (
            <OrgRow key={org.org_id} org={org} />
          ))}
        </tbody>
      </table>
      <More pages={view} />
    </div>
  );
}

function OrgRow({ org }: { org: OrgSummary }) {
  const { local, team, global } = org.memories;
  const days = org.activity ?? [];
  const sum = (value: (day: OrgDay) => number) => days.reduce((total, day) => total + value(day), 0);
  const [committed, writes] = [sum((day) => day.memories), sum((day) => day.writes)];
  const [agents, people] = [sum((day) => day.reads_by_agents), sum((day) => day.reads_by_people)];
  return (
    <tr>
      <th scope="row">
        <Link to={workspacePath(org.org_id)}>
          <Stored>{org.name}</Stored>
        </Link>
      </th>
      <td class="number">{org.workspaces}</td>
      <td class="number" title={strings.home.byScope(local, team, global)}>
        {local + team + global}
      </td>
      <Figure
        to={`${workspacePath(org.org_id, "access")}?action=commit_memory`}
        text={String(committed)}
        label={strings.home.committedOf(committed, days.length)}
        days={days.map(({ day, memories }) => ({ day, values: [memories] }))}
      />
      <Figure
        to={workspacePath(org.org_id, "access")}
        text={String(writes)}
        label={strings.home.writesOf(writes, days.length)}
        days={days.map(({ day, writes: count }) => ({ day, values: [count] }))}
      />
      <Figure
        to={`${workspacePath(org.org_id, "access")}?action=search_memories`}
        text={strings.home.readers(agents, people)}
        label={strings.home.readsOf(agents, people, days.length)}
        days={days.map(({ day, reads_by_agents, reads_by_people }) => ({ day, values: [reads_by_agents, reads_by_people] }))}
      />
      <td>
        <Time at={org.created_at} />
      </td>
    </tr>
  );
}

interface FigureProps {
  to: string;
  text: string;
  label: string;
  days: Array<{ day: string; values: number[] }>;
}

function Figure({ to, text, label, days }: FigureProps) {
  return (
    <td>
      <Link to={to} class="figure">
        <Spark days={days} label={label} />
        <span>{text}</span>
      </Link>
    </td>
  );
}
