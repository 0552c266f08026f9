// One skill: its package, its evidence, who uses it, and the approval of its draft.

import { useState } from "preact/hooks";
import { approveSkill, endpoint, withdrawSkill } from "../api/calls.ts";
import { api } from "../api/http.ts";
import { refresh, useResource } from "../api/resource.ts";
import type { SkillDetail, SkillUser, SkillVersion, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Button, Link } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { Outdated } from "../parts/outdated.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";
import { ProcedureEvidence } from "./evidence.tsx";
import { SkillDrawer } from "./frame.tsx";
import { PackageChanges, PackageFiles } from "./package.tsx";
import { SkillMark, invalidateSkills } from "./status.tsx";

interface SkillProps {
  workspace: Workspace;
  name: string;
  /** Whether the caller may approve and withdraw skills of the workspace. */
  canManage: boolean;
  onClose: () => void;
}

export function SkillView({ workspace, name, canManage, onClose }: SkillProps) {
  const path = endpoint.skill(workspace.id, name);
  const skill = useResource<SkillDetail>(path);
  return (
    <SkillDrawer title={name} onClose={onClose}>
      {skill.failure && !skill.data && <ErrorNotice failure={skill.failure} />}
      {!skill.data && !skill.failure && <Skeleton rows={4} />}
      <Outdated isOutdated={skill.isOutdated && !skill.failure} reload={() => refresh(path)} />
      {skill.data && <Details workspace={workspace} skill={skill.data} canManage={canManage} />}
    </SkillDrawer>
  );
}

function Details({ workspace, skill, canManage }: { workspace: Workspace; skill: SkillDetail; canManage: boolean }) {
  const isOwn = skill.workspace_id === workspace.id;
  const { active_version: active, draft_version: draft } = skill;
  return (
    <>
      <p class="drawer-facts">
        <SkillMark skill={skill} />
        <ScopeChip scope={skill.scope} of={isOwn ? undefined : skill.workspace_name} />
        {skill.version != null && <span class="fact">{strings.skills.version(skill.version)}</span>}
        {active != null && draft != null && <span class="fact">{strings.skills.waiting(draft)}</span>}
      </p>
      <p class="sentence">
        <Content text={skill.description} />
      </p>
      {canManage && isOwn && <Actions workspace={workspace} skill={skill} />}
      {canManage && !isOwn && (
        <p class="quiet">
          {strings.skills.ofAnother}{" "}
          <Link to={`${workspacePath(skill.workspace_id, "skills")}?skill=${skill.name}`}>
            <Stored>{skill.workspace_name}</Stored>
          </Link>
        </p>
      )}
      <Facts skill={skill} />
      {isOwn && active != null && draft != null && (
        <section>
          <h3>{strings.skills.changes(active, draft)}</h3>
          <PackageChanges workspace={workspace} name={skill.name} from={active} to={draft} />
        </section>
      )}
      <details open>
        <summary>
          <h3>{strings.skills.files}</h3>
          <span class="quiet">{strings.skills.fileCount(skill.files.length)}</span>
        </summary>
        <PackageFiles files={skill.files} />
      </details>
      <section>
        <h3>{strings.skills.sources}</h3>
        {skill.sources.map(({ memory_id: memory }) => (
          <ProcedureEvidence key={memory} workspace={workspace} memory={memory} />
        ))}
      </section>
      {active != null && <Users users={skill.used_by ?? []} />}
      {skill.versions && skill.versions.length > 0 && <Versions versions={skill.versions} />}
    </>
  );
}

/** Approval of the draft, after a look at its package, and withdrawal. */
function Actions({ workspace, skill }: { workspace: Workspace; skill: SkillDetail }) {
  const [asking, ask] = useState<"approve" | "withdraw">();
  const { name, draft_version: draft } = skill;
  const path = endpoint.skill(workspace.id, name);
  const isActive = async (version: number) => {
    const { data } = await api<SkillDetail>(path);
    return data.active_version === version || undefined;
  };
  const isWithdrawn = async () => {
    const { data } = await api<SkillDetail>(path);
    return data.status === "withdrawn" || undefined;
  };
  const onDone = (text: string) => {
    showToast(text);
    invalidateSkills();
  };
  return (
    <>
      <div class="actions">
        {draft != null && (
          <Button kind="primary" onClick={() => ask("approve")}>
            {strings.skills.approve(draft)}
          </Button>
        )}
        {skill.status !== "withdrawn" && <Button onClick={() => ask("withdraw")}>{strings.skills.withdraw}</Button>}
      </div>
      {asking === "approve" && draft != null && (
        <Confirm
          title={strings.skills.approveTitle(name)}
          kind="primary"
          label={strings.skills.approve(draft)}
          act={async () => (await approveSkill(workspace.id, name, { version: draft })) && true}
          find={() => isActive(draft)}
          onDone={() => onDone(strings.skills.approvedToast(name, draft))}
          onClose={() => ask(undefined)}
        >
          <p>{strings.skills.approveText(skill.scope, draft)}</p>
          <Draft workspace={workspace} name={name} version={draft} />
        </Confirm>
      )}
      {asking === "withdraw" && (
        <Confirm
          title={strings.skills.withdrawTitle(name)}
          size="narrow"
          label={strings.skills.withdraw}
          act={async () => (await withdrawSkill(workspace.id, name)) && true}
          find={isWithdrawn}
          onDone={() => onDone(strings.skills.withdrawnToast(name))}
          onClose={() => ask(undefined)}
        >
          <p>{strings.skills.withdrawText}</p>
        </Confirm>
      )}
    </>
  );
}

/** The package of the version that is to be approved. */
function Draft({ workspace, name, version }: { workspace: Workspace; name: string; version: number }) {
  const draft = useResource<SkillDetail>(endpoint.skill(workspace.id, name, { version }));
  if (draft.failure && !draft.data) return <ErrorNotice failure={draft.failure} />;
  return draft.data ? <PackageFiles files={draft.data.files} /> : <Skeleton rows={3} />;
}

function Facts({ skill }: { skill: SkillDetail }) {
  const rows: Array<[string, preact.ComponentChildren]> = [];
  if (skill.approved_by) rows.push([strings.skills.approvedBy, <Stored>{skill.approved_by}</Stored>]);
  if (skill.approved_at) rows.push([strings.skills.approved, <Time at={skill.approved_at} />]);
  if (skill.withdrawn_because) {
    rows.push([strings.skills.withdrawn, strings.skills.causes[skill.withdrawn_because] ?? skill.withdrawn_because]);
  }
  if (skill.hash) rows.push([strings.skills.hash, <code title={skill.hash}>{skill.hash.slice(0, 16)}…</code>]);
  return (
    <dl class="facts-list">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The workspaces whose runs used the version. */
function Users({ users }: { users: SkillUser[] }) {
  return (
    <section>
      <h3>{strings.skills.usedBy}</h3>
      {users.length === 0 && <p class="quiet">{strings.skills.nobody}</p>}
      <ul class="skill-users">
        {users.map(({ workspace_id: id, workspace_name: name, uses, last_at: at }) => (
          <li key={id}>
            <Link to={workspacePath(id, "skills")}>
              <Stored>{name}</Stored>
            </Link>{" "}
            <span class="quiet">
              {strings.skills.uses(uses)}, <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Versions({ versions }: { versions: SkillVersion[] }) {
  return (
    <section>
      <h3>{strings.skills.versions}</h3>
      <ul class="skill-versions">
        {versions.map((each) => (
          <li key={each.version}>
            {strings.skills.version(each.version)}{" "}
            <span class="quiet">
              <Stored>{strings.skills.draftedBy(each.drafted_by)}</Stored> <Time at={each.drafted_at} />
              {each.approved_by && (
                <>
                  , <Stored>{strings.skills.approvedByWho(each.approved_by)}</Stored>{" "}
                  {each.approved_at && <Time at={each.approved_at} />}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
