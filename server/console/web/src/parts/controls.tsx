// Buttons, fields and what else one acts with.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { address, go, leadsOut } from "../route.ts";

interface ButtonProps {
  children: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  kind?: "plain" | "first" | "danger" | "quiet";
  type?: "button" | "submit";
  /** Why it cannot be used; then it is disabled and the reason is beside it. */
  blocked?: string | undefined;
  isBusy?: boolean;
  autofocus?: boolean;
  class?: string;
  title?: string;
  id?: string;
  popovertarget?: string;
}

export function Button({ children, kind = "plain", type = "button", blocked, isBusy, ...rest }: ButtonProps) {
  const why = useId();
  const button = (
    <button
      {...rest}
      type={type}
      class={`button ${kind} ${rest.class ?? ""}`}
      aria-disabled={blocked !== undefined || isBusy ? "true" : undefined}
      aria-describedby={blocked === undefined ? undefined : why}
      onClick={(event) => {
        if (blocked !== undefined || isBusy) event.preventDefault();
        else rest.onClick?.(event);
      }}
    >
      {children}
    </button>
  );
  if (blocked === undefined) return button;
  return (
    <span class="blocked">
      {button}
      <span class="why" id={why}>
        {blocked}
      </span>
    </span>
  );
}

interface IconButtonProps {
  /** Its name, also shown on hover. */
  label: string;
  children: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  isPressed?: boolean;
  popovertarget?: string;
  expanded?: boolean;
  class?: string;
}

export function IconButton({ label, children, isPressed, expanded, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      class={`icon-button ${rest.class ?? ""}`}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-expanded={expanded}
    >
      {children}
    </button>
  );
}

interface LinkProps {
  /** A path below the console's folder. */
  to: string;
  children: ComponentChildren;
  class?: string;
  title?: string;
  "aria-current"?: "page" | undefined;
  "aria-label"?: string;
  "data-row"?: string;
}

/**
 * A link within the console: a plain address for the browser, without loading the page again. Within another product, what
 * leads elsewhere is words.
 */
export function Link({ to, children, ...rest }: LinkProps) {
  if (leadsOut(to)) {
    return (
      <span class={rest.class} title={rest.title}>
        {children}
      </span>
    );
  }
  return (
    <a
      {...rest}
      href={address(to)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}

interface FieldProps {
  label: string;
  /** What is expected, under the field. */
  hint?: ComponentChildren;
  /** What is wrong with what was typed. */
  fault?: string | undefined;
  children: (attributes: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean }) => ComponentChildren;
}

/** A labelled field, with what is wrong at the field itself. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": fault !== undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

interface SelectProps<T extends string> {
  value: T;
  options: ReadonlyArray<readonly [T, string]>;
  onChange: (value: T) => void;
  label?: string;
  id?: string;
}

export function Select<T extends string>({ value, options, onChange, label, id }: SelectProps<T>) {
  return (
    <select id={id} aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
      {options.map(([each, text]) => (
        <option key={each} value={each} selected={each === value}>
          {text}
        </option>
      ))}
    </select>
  );
}
