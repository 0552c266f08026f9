import { workspacePath } from "../route.ts";

/** The parts of the tab. */
export const VIEWS = ["documents", "collections", "processors"] as const;
export type View = (typeof VIEWS)[number];

/** The path of a part of the tab. */
export function knowledgePath(workspace: string, view: View, parameters: Record<string, string> = {}): string {
  const query = new URLSearchParams({ ...(view === "documents" ? {} : { view }), ...parameters }).toString();
  return `${workspacePath(workspace, "knowledge")}${query === "" ? "" : `?${query}`}`;
}
