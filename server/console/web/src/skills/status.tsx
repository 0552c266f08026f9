import { invalidate } from "../api/resource.ts";
import type { Skill } from "../api/types.ts";
import { strings } from "../strings.ts";

/** The status of a skill; only problems have a colour. */
export function SkillMark({ skill: { status, failing } }: { skill: Skill }) {
  if (status === "active" && failing) return <span class="status bad">{strings.skills.failing}</span>;
  return <span class={`status ${status === "active" ? "now" : ""}`}>{strings.skills.mark[status]}</span>;
}

/** Reloads skills and evidence. */
export function invalidateSkills(): void {
  invalidate((path) => /^\/workspaces\/[^/]+\/(skills|memories\/[^/]+\/evidence)/.test(path));
}
