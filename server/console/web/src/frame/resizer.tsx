import { useRef } from "preact/hooks";
import { setPreferences, preferences } from "../preferences.ts";
import { strings } from "../strings.ts";

const LEAST = 220;
const MOST = 560;
const STEP = 20;

const between = (width: number) => Math.max(LEAST, Math.min(MOST, Math.round(width)));

/** The edge of the tree, moved by dragging or with the arrow keys. */
export function Resizer() {
  const ref = useRef<HTMLDivElement>(null);
  const width = preferences.current.treeWidth;
  const resize = (to: number) => {
    setPreferences({ treeWidth: between(to) });
    ref.current?.setAttribute("aria-valuenow", String(between(to)));
  };
  return (
    <div
      ref={ref}
      class="resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={strings.frame.resize}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={width}
      tabIndex={0}
      onKeyDown={(event) => {
        const step = event.key === "ArrowLeft" ? -STEP : event.key === "ArrowRight" ? STEP : 0;
        if (step === 0) return;
        event.preventDefault();
        resize(preferences.current.treeWidth + step);
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(event.clientX);
      }}
    />
  );
}
