import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "./controls.tsx";
import { CloseIcon } from "./icons.tsx";
import { Stored } from "./stored.tsx";
import { strings } from "../strings.ts";

interface SideDrawerProps {
  /** What kind of thing is open. */
  label: string;
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A drawer next to a list; it takes the focus when it opens. */
export function SideDrawer({ label, title, onClose, children }: SideDrawerProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={label}>
      <header>
        <h2>
          <Stored>{title}</Stored>
        </h2>
        <IconButton label={strings.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <div class="drawer-body">{children}</div>
    </aside>
  );
}
