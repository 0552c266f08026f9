import { useRef, useState } from "preact/hooks";
import { strings } from "../strings.ts";
import { Button, Field, Select } from "./controls.tsx";
import { FilterIcon } from "./icons.tsx";

/** A filter that the menu offers. */
export interface FilterField<T extends string> {
  name: T;
  label: string;
  hint: string;
  /** The values to choose from; otherwise the value is typed. */
  options?: ReadonlyArray<readonly [string, string]>;
  type?: "text" | "number" | "datetime-local";
}

interface AddFilterProps<T extends string> {
  fields: ReadonlyArray<FilterField<T>>;
  onAdd: (name: T, value: string) => void;
}

/** A menu that adds one filter. */
export function AddFilter<T extends string>({ fields, onAdd }: AddFilterProps<T>) {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [name, setName] = useState<T>();
  const [value, setValue] = useState("");
  const [fault, setFault] = useState<string>();
  const field = fields.find((each) => each.name === name) ?? fields[0];
  if (!field) return null;
  const add = (event: Event) => {
    event.preventDefault();
    // a field with options has the first one selected
    const given = parsed(field, value === "" ? (field.options?.[0]?.[0] ?? "") : value);
    if (given === undefined) return setFault(strings.filters.missing);
    onAdd(field.name, given);
    setValue("");
    setFault(undefined);
    menu.current?.hidePopover();
  };
  return (
    <>
      <button type="button" class="button" popovertarget="add-filter" ref={button}>
        <FilterIcon />
        <span class="word">{strings.filters.add}</span>
      </button>
      <div id="add-filter" class="menu" popover="auto" ref={menu} onBeforeToggle={() => placeBelow(menu.current, button.current)}>
        <form onSubmit={add}>
          <Field label={strings.filters.which}>
            {({ id }) => (
              <Select
                id={id}
                value={field.name}
                options={fields.map((each) => [each.name, each.label] as const)}
                onChange={(each) => {
                  setName(each);
                  setValue("");
                  setFault(undefined);
                }}
              />
            )}
          </Field>
          <Field label={strings.filters.value} hint={field.hint} fault={fault}>
            {(attributes) => <ValueField attributes={attributes} field={field} value={value} onChange={setValue} />}
          </Field>
          <Button kind="primary" type="submit">
            {strings.filters.add}
          </Button>
        </form>
      </div>
    </>
  );
}

interface ValueFieldProps {
  attributes: { id: string };
  field: FilterField<string>;
  value: string;
  onChange: (value: string) => void;
}

function ValueField({ attributes, field: { options, type }, value, onChange }: ValueFieldProps) {
  if (options) return <Select {...attributes} value={value} options={options} onChange={onChange} />;
  const common = { ...attributes, value, onInput: (event: { currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value) };
  if (type === "number") return <input {...common} type="number" min={0} max={1} step="any" />;
  if (type === "datetime-local") return <input {...common} type="datetime-local" />;
  return <input {...common} type="text" spellcheck={false} />;
}

/** The value of a filter from the user's input; dates become instants. Undefined when empty or invalid. */
function parsed({ type }: FilterField<string>, typed: string): string | undefined {
  const text = typed.trim();
  if (type !== "datetime-local") return text === "" ? undefined : text;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}

/** Positions a menu below its button, within the page. */
function placeBelow(menu: HTMLElement | null, button: HTMLElement | null): void {
  const place = button?.getBoundingClientRect();
  if (!menu || !place) return;
  menu.style.top = `${place.bottom + 4}px`;
  menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - 288))}px`;
}
