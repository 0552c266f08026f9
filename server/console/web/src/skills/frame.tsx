import type { ComponentChildren } from "preact";
import { SideDrawer } from "../parts/side-drawer.tsx";
import { strings } from "../strings.ts";

/** The drawer of a skill or a candidate. */
export function SkillDrawer(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  return <SideDrawer label={strings.skills.skill} {...props} />;
}
