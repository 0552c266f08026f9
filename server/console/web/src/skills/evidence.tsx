// The evidence of a procedure: figures, and its uses over time.

import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Evidence, SkillRule, UsePoint, Workspace } from "../api/types.ts";
import { Link } from "../parts/controls.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content } from "../parts/text.tsx";
import { Time, short } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";

const STEP = 6;
const CURVE = 36;
const MARKS = 12;

/** The lower bound of a success rate at a confidence of 95 %, by Wilson: what the server computes too. */
export function lowerBound(successes: number, uses: number): number {
  if (uses === 0) return 0;
  const z = 1.959964;
  const [rate, square] = [successes / uses, (z * z) / uses];
  const spread = z * Math.sqrt((rate * (1 - rate)) / uses + square / (4 * uses));
  return Math.max(0, (rate + square / 2 - spread) / (1 + square));
}

/** The uses in their order: a mark up for a success, down for a failure; and the lower bound up to each of them. */
function Chart({ recent, rule }: { recent: UsePoint[]; rule: SkillRule | undefined }) {
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || !last) return null;
  const width = Math.max(recent.length * STEP, 120);
  const height = CURVE + MARKS;
  const successes = recent.filter(({ outcome }) => outcome === "success").length;
  const label = strings.skills.chart(recent.length, successes, short(first.at), short(last.at));
  const y = (bound: number) => (1 - bound) * (CURVE - 2) + 1;
  let worked = 0;
  const curve = recent.map(({ outcome }, index) => {
    if (outcome === "success") worked += 1;
    return `${index * STEP + STEP / 2},${y(lowerBound(worked, index + 1)).toFixed(1)}`;
  });
  const middle = CURVE + MARKS / 2;
  return (
    <svg class="evidence-chart" role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>{label}</title>
      {rule?.lower_bound !== undefined && <path class="rule" d={`M0 ${y(rule.lower_bound)}H${width}`} />}
      <polyline points={curve.join(" ")} />
      <path class="base" d={`M0 ${middle}H${width}`} />
      {recent.map(({ at, outcome }, index) => (
        <rect
          key={`${index} ${at}`}
          class={outcome}
          x={index * STEP + 1}
          y={outcome === "success" ? CURVE : middle}
          width={STEP - 2}
          height={MARKS / 2}
        />
      ))}
    </svg>
  );
}

/** The evidence of one procedure. */
export function ProcedureEvidence({ workspace, memory }: { workspace: Workspace; memory: string }) {
  const evidence = useResource<Evidence>(endpoint.evidence(workspace.id, memory));
  const rule = useResource<SkillRule>(endpoint.skillRule(workspace.id));
  if (evidence.failure && !evidence.data) return <ErrorNotice failure={evidence.failure} />;
  if (!evidence.data) return <Skeleton rows={2} />;
  const { uses, counted, recent, history, missing, notes, ...data } = evidence.data;
  return (
    <section class="evidence">
      <p>
        <Link to={`${workspacePath(workspace.id)}?m=${memory}`}>
          {strings.skills.procedure}, {strings.skills.version(data.version)}
        </Link>
      </p>
      {uses === 0 ? (
        <p class="quiet">{strings.skills.noUses}</p>
      ) : (
        <>
          <Chart recent={recent} rule={rule.data} />
          <p>
            {strings.skills.counts(data.successes, data.failures, data.open)}
            <span class="quiet"> {strings.skills.spread(data.runs, data.sessions, data.workspaces)}</span>
          </p>
          <p class="quiet">{strings.skills.counted(counted.successes, counted.failures, counted.runs, counted.sessions)}</p>
          <p>
            {strings.skills.bound}: {strings.skills.boundOf(counted.lower_bound)}
          </p>
        </>
      )}
      {missing.length === 0 ? (
        <p>{strings.skills.passes}</p>
      ) : (
        <>
          <p>{strings.skills.missing}</p>
          <ul class="missing">
            {missing.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </>
      )}
      {notes && notes.length > 0 && (
        <>
          <p class="evidence-head">{strings.skills.notes}</p>
          <ul>
            {notes.map(({ at, note }) => (
              <li key={`${at} ${note}`}>
                <Content text={note} /> <Time at={at} />
              </li>
            ))}
          </ul>
        </>
      )}
      {history.length > 0 && (
        <>
          <p class="evidence-head">{strings.skills.earlier}</p>
          <ul class="quiet">
            {history.map(({ version, successes, failures }) => (
              <li key={version}>
                <Stored>{strings.skills.earlierCounts(version, successes, failures)}</Stored>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
