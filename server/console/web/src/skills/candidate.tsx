import { useState } from "preact/hooks";
import type { Skill, Workspace } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Button } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { Content } from "../parts/text.tsx";
import { goWith } from "../route.ts";
import { strings } from "../strings.ts";
import { DraftDialog } from "./draft.tsx";
import { ProcedureEvidence } from "./evidence.tsx";
import { SkillDrawer } from "./frame.tsx";
import { invalidateSkills } from "./status.tsx";

interface CandidateProps {
  workspace: Workspace;
  /** The procedure. */
  memory: string;
  /** The row of the list, while it has one. */
  skill: Skill | undefined;
  canDraft: boolean;
  onClose: () => void;
}

/** A procedure with its evidence, to draft a skill from. */
export function CandidateDrawer({ workspace, memory, skill, canDraft, onClose }: CandidateProps) {
  const [isDrafting, draft] = useState(false);
  const onDrafted = (drafted: Skill) => {
    draft(false);
    const version = drafted.draft_version ?? drafted.version ?? 1;
    showToast(strings.skills.drafted(drafted.name, version));
    invalidateSkills();
    goWith({ status: "draft", candidate: undefined, skill: drafted.name }, { isSaved: true });
  };
  return (
    <SkillDrawer title={skill?.name || strings.skills.unnamed} onClose={onClose}>
      {skill && (
        <p class="drawer-facts">
          <ScopeChip scope={skill.scope} of={skill.workspace_id === workspace.id ? undefined : skill.workspace_name} />
        </p>
      )}
      {skill && (
        <p class="sentence">
          <Content text={skill.description} />
        </p>
      )}
      {canDraft && (
        <div class="actions">
          <Button kind="primary" onClick={() => draft(true)}>
            {strings.skills.draft}
          </Button>
        </div>
      )}
      <ProcedureEvidence workspace={workspace} memory={memory} />
      {isDrafting && (
        <DraftDialog
          workspace={workspace}
          memory={memory}
          suggested={skill?.name ?? ""}
          onDrafted={onDrafted}
          onClose={() => draft(false)}
        />
      )}
    </SkillDrawer>
  );
}
