import { useId, useState } from "preact/hooks";
import type { Workspace } from "../api/types.ts";
import { isolateRuns } from "../strings/isolate.ts";
import { strings } from "../strings.ts";
import { Stored } from "./stored.tsx";
import { useWorkspaceSearch } from "./workspace-search.ts";

interface PickerProps {
  /** Id of the org to search. */
  org: string;
  label: string;
  /** Name of the workspace that was picked. */
  chosen: string | undefined;
  /** Whether it takes the focus when nothing else has it. */
  isWanted: boolean;
  /** Id of the enclosing field. */
  id?: string;
  onPick: (one: Workspace) => void;
}

/** A combobox for another workspace of the same tree. */
export function Picker({ org, label, chosen, isWanted, id: fieldId, onPick }: PickerProps) {
  // what the user types instead of the chosen name
  const [typed, setTyped] = useState<string>();
  const text = typed ?? "";
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { workspaces: found, enter } = useWorkspaceSearch(text, (settled) => take(settled[active]), org);
  const take = (one: Workspace | undefined) => {
    if (!one) return;
    setOpen(false);
    setTyped(undefined);
    onPick(one);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") enter();
    else if (event.key === "Escape" && isOpen) setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isShown = isOpen && found.length > 0;
  return (
    <div class="picker">
      <input
        type="text"
        role="combobox"
        aria-expanded={isShown}
        aria-controls={id}
        id={fieldId}
        aria-label={label}
        aria-activedescendant={isShown ? `${id}-${active}` : undefined}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        ref={(element) => {
          if (isWanted && element && document.activeElement === document.body) element.focus();
        }}
        value={typed ?? chosen ?? ""}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => !isOpen && setTyped(undefined)}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label={strings.jump.results} hidden={!isShown}>
        {found.map((one, index) => (
          <li
            key={one.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onPointerMove={() => setActive(index)}
            onClick={() => take(one)}
          >
            <Stored>{one.name}</Stored>
            <span class="about">
              <bdi dir="ltr">{one.path.map((step) => isolateRuns(step.name)).join(" ▸ ")}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
