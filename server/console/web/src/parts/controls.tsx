// Buttons, links and form fields.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { address, go, leavesEmbed } from "../route.ts";

interface ButtonProps {
  children: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
  kind?: "plain" | "primary" | "danger" | "quiet";
  type?: "button" | "submit";
  /** Disables the button and shows this reason next to it. */
  disabledReason?: string | undefined;
  isBusy?: boolean;
  /** For a step of a pager, which needs no reason. */
  disabled?: boolean;
  autofocus?: boolean;
  class?: string;
  title?: string;
  id?: string;
  popovertarget?: string;
}

export function Button({ children, kind = "plain", type = "button", disabledReason, isBusy, disabled, ...rest }: ButtonProps) {
  const why = useId();
  const button = (
    <button
      {...rest}
      type={type}
      class={`button ${kind} ${rest.class ?? ""}`}
      aria-disabled={disabledReason !== undefined || isBusy || disabled ? "true" : undefined}
      aria-describedby={disabledReason === undefined ? undefined : why}
      onClick={(event) => {
        if (disabledReason !== undefined || isBusy || disabled) event.preventDefault();
        else rest.onClick?.(event);
      }}
    >
      {children}
    </button>
  );
  if (disabledReason === undefined) return button;
  return (
    <span class="blocked">
      {button}
      <span class="why" id={why}>
        {disabledReason}
      </span>
    </span>
  );
}

interface IconButtonProps {
  /** The accessible name, also the tooltip. */
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
 * A link within the console that does not reload the page. In the embedded view, a link that leaves the view is plain
 * text.
 */
export function Link({ to, children, ...rest }: LinkProps) {
  if (leavesEmbed(to)) {
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
  /** Help text under the field. */
  hint?: ComponentChildren;
  /** The error message of the field. */
  fault?: string | undefined;
  children: (attributes: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean }) => ComponentChildren;
}

/** Submits the form of a field by Ctrl Enter, after the browser's own checks. */
export function submitOnModEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (event.currentTarget instanceof HTMLFormElement) event.currentTarget.requestSubmit();
}

/** A labelled field with its help text and error message. */
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
