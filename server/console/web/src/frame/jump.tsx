import { useId, useState } from "preact/hooks";
import type { Me, Workspace } from "../api/types.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Stored } from "../parts/stored.tsx";
import { useWorkspaceSearch } from "../parts/workspace-search.ts";
import { isId } from "../parts/ids.ts";
import { current, go, goWith, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { isolateRuns } from "../strings/isolate.ts";
import { strings } from "../strings.ts";

interface Choice {
  name: string;
  /** Distinguishes entries with the same name. */
  about: string;
  run: () => void;
}

/** Finds workspaces by name, memories and workspaces by id, and pages. */
export function Jump({ me, onClose }: { me: Me; onClose: () => void }) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const wantsId = isId(text);
  const id = useId();
  const among = (workspaces: Workspace[]) =>
    wantsId ? byId(text.trim()) : [...screens(me, text), ...workspaces.map(toWorkspace), ...searches(me, text)];
  const chosenOf = (choices: Choice[]) => Math.min(active, choices.length - 1);
  const found = useWorkspaceSearch(wantsId ? "" : text, (workspaces) => {
    const settled = among(workspaces);
    take(settled[chosenOf(settled)]);
  });
  const choices = among(found.workspaces);
  const chosen = chosenOf(choices);
  const take = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(chosen + 1, choices.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(chosen - 1, 0));
    else if (event.key === "Enter") found.enter();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={strings.jump.title} size="narrow" onClose={onClose}>
      <div class="jump">
        <input
          type="text"
          role="combobox"
          autofocus
          autocomplete="off"
          spellcheck={false}
          aria-expanded="true"
          aria-controls={id}
          aria-label={strings.jump.label}
          aria-activedescendant={choices.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder={strings.jump.placeholder}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id={id} role="listbox" aria-label={strings.jump.results}>
          {choices.map((choice, index) => (
            <li
              key={`${choice.name} ${choice.about}`}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              ref={(element) => {
                if (index === chosen) element?.scrollIntoView({ block: "nearest" });
              }}
              onPointerMove={() => setActive(index)}
              onClick={() => take(choice)}
            >
              <Stored>{choice.name}</Stored>
              <span class="about">
                <bdi dir="ltr">{choice.about}</bdi>
              </span>
            </li>
          ))}
        </ul>
        {found.isEntered && (
          <p class="quiet waiting" role="status">
            {strings.jump.opening}
          </p>
        )}
        {choices.length === 0 && text.trim() !== "" && !found.isLoading && <p class="quiet">{strings.jump.nothing}</p>}
      </div>
    </Dialog>
  );
}

function toWorkspace(workspace: Workspace): Choice {
  const { screen } = current();
  const tab = screen.name === "workspace" ? screen.tab : "memories";
  const about = workspace.path.map((step) => isolateRuns(step.name)).join(" ▸ ");
  return { name: workspace.name, about, run: () => go(workspacePath(workspace.id, tab)) };
}

/** Searches of the memories that the current workspace can read, and of all that the caller may read. */
function searches(me: Me, text: string): Choice[] {
  const { screen } = current();
  const q = text.trim();
  if (q === "") return [];
  const [name, query] = [strings.jump.search(q), new URLSearchParams({ q })];
  const found: Choice[] = [];
  if (screen.name === "workspace") {
    found.push({ name, about: strings.jump.thisWorkspace, run: () => go(`${workspacePath(screen.id)}?${query}`) });
  }
  // an agent reads as its own workspace only
  if (me.role !== "agent") found.push({ name, about: strings.jump.everywhere(me.role), run: () => go(`search?${query}`) });
  return found;
}

function byId(id: string): Choice[] {
  const { screen } = current();
  const workspace = { name: strings.jump.workspaceById, about: id, run: () => go(workspacePath(id)) };
  if (screen.name !== "workspace") return [workspace];
  const memory = () => go(`${workspacePath(screen.id)}?m=${id}`);
  return [{ name: strings.jump.memoryById, about: id, run: memory }, workspace];
}

function screens(me: Me, text: string): Choice[] {
  const { screen } = current();
  const all: Choice[] = [{ name: strings.frame.orgs(me.role), about: strings.jump.page, run: () => go("./") }];
  if (may(me, "read_access_log")) all.push({ name: strings.access.audit, about: strings.jump.page, run: () => go("audit") });
  if (may(me, "read_server")) all.push({ name: strings.system.title, about: strings.jump.page, run: () => go("system") });
  if (screen.name === "workspace") {
    const { id } = screen;
    for (const [tab, name] of Object.entries(strings.tabs)) {
      all.push({ name, about: strings.jump.thisWorkspace, run: () => go(workspacePath(id, tab as keyof typeof strings.tabs)) });
    }
    if (may(me, "write_memories")) {
      all.push({ name: strings.write.do, about: strings.jump.thisWorkspace, run: () => goWith({ write: "1" }) });
    }
  }
  const wanted = text.trim().toLowerCase();
  return all.filter((choice) => choice.name.toLowerCase().includes(wanted));
}
