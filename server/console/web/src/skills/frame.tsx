import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { IconButton } from "../parts/controls.tsx";
import { CloseIcon } from "../parts/icons.tsx";
import { Stored } from "../parts/stored.tsx";
import { strings } from "../strings.ts";

/** The drawer of a skill or a candidate. */
export function SkillDrawer({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  return (
    <aside class="drawer" ref={ref} tabIndex={-1} aria-label={strings.skills.skill}>
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
