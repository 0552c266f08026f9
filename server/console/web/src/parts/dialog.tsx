// Dialogs, the drawer and the messages that pass by.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { words } from "../words.ts";
import { IconButton } from "./controls.tsx";
import { Cross } from "./icons.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Narrow for a question, wide for a form. */
  size?: "narrow" | "wide";
  /** Without a way out but through it. */
  isForced?: boolean;
}

/** The platform's own dialog: it keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children, size = "wide", isForced }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
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
          <IconButton label={words.close} onClick={onClose}>
            <Cross />
          </IconButton>
        )}
      </header>
      {children}
    </dialog>
  );
}

interface Message {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

let count = 0;
let show: (message: Message) => void = () => {};

/** Says something in passing, perhaps with a way to take it back. */
export function say(text: string, action?: Message["action"]): void {
  count += 1;
  show(action ? { id: count, text, action } : { id: count, text });
}

/** Where messages pass by. */
export function Toasts() {
  const [message, set] = useState<Message>();
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
          <IconButton label={words.close} onClick={() => set(undefined)}>
            <Cross />
          </IconButton>
        </div>
      )}
    </div>
  );
}
