// The files of a package, and the difference of two versions.

import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { SkillDiff, SkillFile, Workspace } from "../api/types.ts";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Marked } from "../parts/stored.tsx";
import { strings } from "../strings.ts";

/** The files, as runtimes load them. */
export function PackageFiles({ files }: { files: SkillFile[] }) {
  return (
    <div class="package">
      {files.map(({ path, text }) => (
        <figure key={path}>
          <figcaption>
            <code>{path}</code>
          </figcaption>
          <pre tabIndex={0} aria-label={path}>
            <Marked text={text} />
          </pre>
        </figure>
      ))}
    </div>
  );
}

const KINDS = { "+": "added", "-": "removed", " ": "same" } as const;

interface DiffLine {
  kind: "added" | "removed" | "same" | "file";
  text: string;
}

/** The lines of the server's diff; the two lines before each file become one. */
function linesOf(diff: string): DiffLine[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  return lines.flatMap((line, index): DiffLine[] => {
    if (line.startsWith("--- ") && lines[index + 1] === `+++ ${line.slice(4)}`) return [];
    if (line.startsWith("+++ ") && lines[index - 1] === `--- ${line.slice(4)}`) return [{ kind: "file", text: line.slice(4) }];
    return [{ kind: KINDS[line.charAt(0) as keyof typeof KINDS] ?? "same", text: line.slice(1) }];
  });
}

interface ChangesProps {
  workspace: Workspace;
  name: string;
  from: number;
  to: number;
}

/** The difference of two versions, as the server computes it. */
export function PackageChanges({ workspace, name, from, to }: ChangesProps) {
  const diff = useResource<SkillDiff>(endpoint.skillDiff(workspace.id, name, { from, to }));
  if (diff.failure && !diff.data) return <ErrorNotice failure={diff.failure} />;
  if (!diff.data) return <Skeleton rows={3} height={20} />;
  if (diff.data.diff.trim() === "") return <p class="quiet">{strings.skills.noChanges}</p>;
  return (
    <pre class="diff" tabIndex={0} aria-label={strings.skills.changes(from, to)}>
      {linesOf(diff.data.diff).map(({ kind, text }, index) => (
        <span key={index} class={`line ${kind}`}>
          {kind !== "file" && <span class="unseen">{strings.diff.kinds[kind]}</span>}
          <span class={kind}>
            <Marked text={text} />
          </span>
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
