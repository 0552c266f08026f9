import { useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { refresh, useResource } from "../api/resource.ts";
import type { Me, Skill, SkillStatus, Workspace } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, moveFocus } from "../memories/rows.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { Outdated } from "../parts/outdated.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { CandidateDrawer } from "./candidate.tsx";
import { SkillView } from "./skill.tsx";
import { SkillMark } from "./status.tsx";

const STATUSES = Object.keys(strings.skills.statuses) as SkillStatus[];

/** What the workspace can use, what could become a skill, what waits for an approval, and what was withdrawn. */
export function Skills({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const status = STATUSES.find((each) => each === query.get("status")) ?? "active";
  const path = endpoint.skills(workspace.id, { status });
  const skills = useResource<Skill[]>(path);
  const [name, candidate] = [query.get("skill") ?? undefined, query.get("candidate") ?? undefined];
  const open = name ?? candidate;
  const close = () => {
    goWith({ skill: undefined, candidate: undefined });
    focusRow(list.current, open);
  };
  useKeys({
    "j": () => moveFocus(list.current, 1),
    "ArrowDown": () => moveFocus(list.current, 1),
    "k": () => moveFocus(list.current, -1),
    "ArrowUp": () => moveFocus(list.current, -1),
    ".": () => (skills.isOutdated ? refresh(path) : false),
    "Escape": () => {
      if (open !== undefined) return close();
      if (status === "active") return false;
      goWith({ status: undefined }, { replace: true });
    },
  });
  const show = (each: SkillStatus) =>
    goWith({ status: each === "active" ? undefined : each, skill: undefined, candidate: undefined }, { replace: true });
  return (
    <div class={`with-drawer ${open === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={strings.tabs.skills}>
        <div class="list-head">
          <div class="segments" role="group" aria-label={strings.skills.status}>
            {STATUSES.map((each) => (
              <button key={each} type="button" aria-pressed={status === each} onClick={() => show(each)}>
                {strings.skills.statuses[each]}
              </button>
            ))}
          </div>
        </div>
        <div class="rows" aria-busy={skills.isLoading} ref={list}>
          {skills.failure && <ErrorNotice failure={skills.failure} />}
          <Outdated isOutdated={skills.isOutdated} reload={() => refresh(path)} hasKey />
          {!skills.data && !skills.failure && <Skeleton height={48} />}
          {skills.data?.length === 0 && <NoSkills workspace={workspace} status={status} />}
          {skills.data && skills.data.length > 0 && <Table skills={skills.data} workspace={workspace} open={open} />}
        </div>
      </section>
      {name !== undefined && (
        <SkillView key={name} workspace={workspace} name={name} canManage={may(me, "manage_skills")} onClose={close} />
      )}
      {name === undefined && candidate !== undefined && (
        <CandidateDrawer
          key={candidate}
          workspace={workspace}
          memory={candidate}
          skill={skills.data?.find((each) => each.status === "candidate" && memoryOf(each) === candidate)}
          canDraft={may(me, "write_memories")}
          onClose={close}
        />
      )}
    </div>
  );
}

const memoryOf = ({ sources }: Skill) => sources[0]?.memory_id ?? "";

interface TableProps {
  skills: Skill[];
  workspace: Workspace;
  open: string | undefined;
}

function Table({ skills, workspace, open }: TableProps) {
  return (
    <table class="table keys skills">
      <thead>
        <tr>
          <th scope="col">{strings.skills.skill}</th>
          <th scope="col">{strings.skills.status}</th>
          <th scope="col">{strings.skills.evidence}</th>
          <th scope="col">{strings.skills.author}</th>
          <th scope="col">{strings.skills.changed}</th>
        </tr>
      </thead>
      <tbody>
        {skills.map((skill) => {
          const row = skill.status === "candidate" ? memoryOf(skill) : skill.name;
          return (
            <tr key={`${row} ${skill.workspace_id}`} class={row === open ? "open" : ""}>
              <th scope="row">
                <SkillName skill={skill} row={row} isOpen={row === open} />
                <p class="skill-description">
                  <Stored>{skill.description}</Stored>
                </p>
              </th>
              <td>
                <SkillMark skill={skill} />
              </td>
              <td>
                <Reason skill={skill} />
              </td>
              <td class="value">
                <ScopeChip scope={skill.scope} of={skill.workspace_id === workspace.id ? undefined : skill.workspace_name} />
              </td>
              <td>{skill.updated_at && <Time at={skill.updated_at} brief />}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A link to the drawer; plain text where nothing of the skill remains. */
function SkillName({ skill, row, isOpen }: { skill: Skill; row: string; isOpen: boolean }) {
  if (skill.withdrawn_because === "source_removed") return <Stored>{skill.name}</Stored>;
  const isCandidate = skill.status === "candidate";
  const to = pathWith({ candidate: isCandidate ? row : undefined, skill: isCandidate ? undefined : row });
  return (
    <Link to={to} data-row={row} class={isOpen ? "open" : ""}>
      <Stored>{skill.name || strings.skills.unnamed}</Stored>
    </Link>
  );
}

/** What an operator looks for in the row: figures, a waiting version, or the cause. */
function Reason({ skill }: { skill: Skill }) {
  const { evidence, withdrawn_because: cause, active_version: active, draft_version: draft } = skill;
  if (evidence) return <>{strings.skills.figures(evidence.successes, evidence.failures, evidence.sessions)}</>;
  if (cause) return <>{strings.skills.causes[cause] ?? cause}</>;
  if (draft != null) return <>{strings.skills.waiting(draft)}</>;
  return active == null ? null : <>{strings.skills.version(active)}</>;
}

function NoSkills({ workspace, status }: { workspace: Workspace; status: SkillStatus }) {
  const command = strings.skills.command[status](workspace.id);
  return (
    <Empty title={strings.skills.none[status](workspace.name)}>
      <p>{strings.skills.how[status]}</p>
      {command !== undefined && <Snippet text={command} label={strings.skills.how[status]} />}
    </Empty>
  );
}
