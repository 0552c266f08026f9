// Icons. Each is decoration next to text, or inside a button that has a name.

import type { ComponentChildren } from "preact";

function Icon({ children, size = 16 }: { children: ComponentChildren; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

const line = { fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round" } as const;

export const CaretIcon = () => (
  <Icon size={12}>
    <path {...line} stroke-width={2} d="M6 3.5 10.5 8 6 12.5" />
  </Icon>
);
export const CloseIcon = () => (
  <Icon>
    <path {...line} d="m4 4 8 8m0-8-8 8" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path {...line} d="m3.5 8.5 3 3 6-7" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon>
    <circle {...line} cx="7" cy="7" r="4" />
    <path {...line} d="m10 10 3.5 3.5" />
  </Icon>
);
export const MenuIcon = () => (
  <Icon>
    <path {...line} d="M3 4.5h10M3 8h10M3 11.5h10" />
  </Icon>
);
export const PlusIcon = () => (
  <Icon>
    <path {...line} d="M8 3.5v9M3.5 8h9" />
  </Icon>
);
export const Pin = () => (
  <Icon size={12}>
    <path {...line} d="M5.5 2.5h5l-.7 4.2 2.2 2.6H4l2.2-2.6zM8 9.5v4" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <rect {...line} x="5.5" y="5.5" width="7.5" height="8" rx="1.2" />
    <path {...line} d="M10.5 5.5V4a1.2 1.2 0 0 0-1.2-1.2H4.2A1.2 1.2 0 0 0 3 4v5.3a1.2 1.2 0 0 0 1.2 1.2h1.3" />
  </Icon>
);
export const TreeIcon = () => (
  <Icon>
    <circle {...line} cx="8" cy="3.5" r="1.7" />
    <circle {...line} cx="3.8" cy="12.3" r="1.7" />
    <circle {...line} cx="12.2" cy="12.3" r="1.7" />
    <path {...line} d="M8 5.2v2.3M3.8 10.6V9a1.5 1.5 0 0 1 1.5-1.5h5.4A1.5 1.5 0 0 1 12.2 9v1.6" />
  </Icon>
);
export const GaugeIcon = () => (
  <Icon>
    <path {...line} d="M2.8 12a6 6 0 1 1 10.4 0M8 9.5 10.6 6" />
  </Icon>
);
export const List = () => (
  <Icon>
    <path {...line} d="M6 4.5h7M6 8h7M6 11.5h7M3 4.5h.01M3 8h.01M3 11.5h.01" />
  </Icon>
);
export const FilterIcon = () => (
  <Icon>
    <path {...line} d="M2.5 4.5h11M5 8h6M7 11.5h2" />
  </Icon>
);
export const EyeIcon = () => (
  <Icon>
    <path {...line} d="M1.8 8C4.6 3.2 11.4 3.2 14.2 8 11.4 12.8 4.6 12.8 1.8 8Z" />
    <circle {...line} cx="8" cy="8" r="1.8" />
  </Icon>
);
export const Dots = () => (
  <Icon>
    <circle cx="3.5" cy="8" r="1.2" fill="currentColor" />
    <circle cx="8" cy="8" r="1.2" fill="currentColor" />
    <circle cx="12.5" cy="8" r="1.2" fill="currentColor" />
  </Icon>
);

/** LOCAL: one dot. TEAM: one dot over two. GLOBAL: a dot in a ring. */
export function ScopeSign({ scope }: { scope: "LOCAL" | "TEAM" | "GLOBAL" }) {
  return (
    <svg class="icon" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      {scope === "LOCAL" && <circle cx="6" cy="6" r="2.4" fill="currentColor" />}
      {scope === "TEAM" && (
        <>
          <circle cx="6" cy="3.2" r="2" fill="currentColor" />
          <circle cx="3" cy="8.8" r="2" fill="currentColor" />
          <circle cx="9" cy="8.8" r="2" fill="currentColor" />
        </>
      )}
      {scope === "GLOBAL" && (
        <>
          <circle cx="6" cy="6" r="1.8" fill="currentColor" />
          <circle cx="6" cy="6" r="4.6" fill="none" stroke="currentColor" stroke-width="1.4" />
        </>
      )}
    </svg>
  );
}
