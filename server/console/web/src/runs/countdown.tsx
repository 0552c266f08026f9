import { useEffect, useState } from "preact/hooks";
import { exact } from "../parts/time.tsx";
import { words } from "../words.ts";

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;
/** What a browser's timer can wait for at most, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** `1 h 59 min`, `4 min 10 s`, `9 s`; briefly the first part alone. */
export function left(ms: number, isBrief = false): string {
  const steps = [[D, "d"], [H, "h"], [MIN, "min"], [S, "s"]] as const;
  const first = steps.findIndex(([unit]) => ms >= unit);
  if (first < 0) return `0 ${steps[3][1]}`;
  const shown = steps.slice(first, first + (isBrief ? 1 : 2));
  return shown.map(([unit, name], place) => `${Math.floor((place === 0 ? ms : ms % shown[0]![0]) / unit)} ${name}`).join(" ");
}

/** How long it is until an instant, second by second; `onOver` hears when it has come. */
export function Countdown({ until, onOver, brief }: { until: string; onOver: () => void; brief?: boolean }) {
  const end = Date.parse(until);
  const [now, set] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && set(Date.now()), S);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    // a moment later: the clock of the server decides
    const wait = end - Date.now() + S;
    if (wait <= 0 || wait > LONGEST) return;
    const timer = setTimeout(onOver, wait);
    return () => clearTimeout(timer);
  }, [end]);
  return (
    <time dateTime={until} title={exact(until)} role="timer">
      {end > now ? words.runs.left(left(end - now, brief)) : words.runs.overdue}
    </time>
  );
}
