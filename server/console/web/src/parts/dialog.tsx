// Dialogs and toasts.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { strings } from "../strings.ts";
import { IconButton } from "./controls.tsx";
import { CloseIcon } from "./icons.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Narrow for a question, wide for a form. */
  size?: "narrow" | "wide";
  /** Hides every way to close it. */
  isForced?: boolean;
}

/** The platform's dialog: it keeps the focus inside and returns it on close. */
export function Dialog({ title, onClose, children, size = "wide", isForced }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  // a layout effect runs before the first paint, so that keys pressed right after the shortcut reach the dialog
  useLayoutEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={size}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!isForced) onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!isForced && (
          <IconButton label={strings.close} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        )}
      </header>
      {children}
    </dialog>
  );
}

interface ToastMessage {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

let count = 0;
let show: (message: ToastMessage) => void = () => {};

/** Shows a toast, optionally with an action such as Undo. */
export function showToast(text: string, action?: ToastMessage["action"]): void {
  count += 1;
  show(action ? { id: count, text, action } : { id: count, text });
}

export function Toasts() {
  const [message, set] = useState<ToastMessage>();
  show = set;
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => set(undefined), 10_000);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div class="toasts" role="status">
      {message && (
        <div class="toast" key={message.id}>
          <span>{message.text}</span>
          {message.action && (
            <button
              type="button"
              class="button quiet"
              onClick={() => {
                message.action?.run();
                set(undefined);
              }}
            >
              {message.action.label}
            </button>
          )}
          <IconButton label={strings.close} onClick={() => set(undefined)}>
            <CloseIcon />
          </IconButton>
        </div>
      )}
    </div>
  );
}
