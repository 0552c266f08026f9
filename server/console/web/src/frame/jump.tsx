import { useId, useState } from "preact/hooks";
import type { Me, Workspace } from "../api/types.ts";
import { Dialog } from "../parts/dialog.tsx";
import { useFound } from "../parts/found.ts";
import { isId } from "../parts/ids.ts";
import { current, go, goWith, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { words } from "../words.ts";

interface Choice {
  name: string;
  /** What tells it from others of the same name. */
  about: string;
  run: () => void;
}

/** Jumps: to workspaces by name, memories and workspaces by id, places. */
export function Jump({ me, onClose }: { me: Me; onClose: () => void }) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const wantsId = isId(text);
  const id = useId();
  const among = (workspaces: Workspace[]) =>
    wantsId ? byId(text.trim()) : [...places(me, text), ...workspaces.map(toWorkspace)];
  const chosenOf = (choices: Choice[]) => Math.min(active, choices.length - 1);
  const found = useFound(wantsId ? "" : text, (workspaces) => {
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
    <Dialog title={words.jump.title} size="narrow" onClose={onClose}>
      <div class="jump">
        <input
          type="text"
          role="combobox"
          autofocus
          autocomplete="off"
          spellcheck={false}
          aria-expanded="true"
          aria-controls={id}
          aria-label={words.jump.label}
          aria-activedescendant={choices.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder={words.jump.placeholder}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id={id} role="listbox" aria-label={words.jump.found}>
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
              <bdi>{choice.name}</bdi>
              <span class="about">
                <bdi>{choice.about}</bdi>
              </span>
            </li>
          ))}
        </ul>
        {choices.length === 0 && text.trim() !== "" && !found.isLoading && <p class="quiet">{words.jump.nothing}</p>}
      </div>
    </Dialog>
  );
}

function toWorkspace(workspace: Workspace): Choice {
  const { place } = current();
  const tab = place.at === "workspace" ? place.tab : "memories";
  const about = workspace.path.map((step) => step.name).join(" ▸ ");
  return { name: workspace.name, about, run: () => go(workspacePath(workspace.id, tab)) };
}

function byId(id: string): Choice[] {
  const { place } = current();
  const workspace = { name: words.jump.workspaceById, about: id, run: () => go(workspacePath(id)) };
  if (place.at !== "workspace") return [workspace];
  const memory = () => go(`${workspacePath(place.id)}?m=${id}`);
  return [{ name: words.jump.memoryById, about: id, run: memory }, workspace];
}

function places(me: Me, text: string): Choice[] {
  const { place } = current();
  const all: Choice[] = [{ name: words.frame.orgs(me.role), about: words.jump.place, run: () => go("./") }];
  if (may(me, "read_access_log")) all.push({ name: words.access.audit, about: words.jump.place, run: () => go("audit") });
  if (may(me, "read_server")) all.push({ name: words.system.title, about: words.jump.place, run: () => go("system") });
  if (place.at === "workspace") {
    const { id } = place;
    for (const [tab, name] of Object.entries(words.tabs)) {
      all.push({ name, about: words.jump.here, run: () => go(workspacePath(id, tab as keyof typeof words.tabs)) });
    }
    if (may(me, "write_memories")) {
      all.push({ name: words.write.do, about: words.jump.here, run: () => goWith({ write: "1" }) });
    }
  }
  const wanted = text.trim().toLowerCase();
  return all.filter((choice) => choice.name.toLowerCase().includes(wanted));
}
