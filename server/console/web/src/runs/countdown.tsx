import { useEffect, useState } from "preact/hooks";
import { exact } from "../parts/time.tsx";
import { strings } from "../strings.ts";

const S = 1_000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;
/** The maximum delay of a browser's timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** `1 h 59 min`, `4 min 10 s`, `9 s`; only the first part when brief. */
export function formatRemaining(ms: number, isBrief = false): string {
  const steps = [[D, "d"], [H, "h"], [MIN, "min"], [S, "s"]] as const;
  const first = steps.findIndex(([unit]) => ms >= unit);
  if (first < 0) return `0 ${steps[3][1]}`;
  const shown = steps.slice(first, first + (isBrief ? 1 : 2));
  return shown.map(([unit, name], place) => `${Math.floor((place === 0 ? ms : ms % shown[0]![0]) / unit)} ${name}`).join(" ");
}

/** The time left, updated every second; calls `onOver` when it is over. */
export function Countdown({ until, onOver, brief }: { until: string; onOver: () => void; brief?: boolean }) {
  const end = Date.parse(until);
  const [now, set] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && set(Date.now()), S);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    // one second later, because the server's clock decides
    const wait = end - Date.now() + S;
    if (wait <= 0 || wait > LONGEST) return;
    const timer = setTimeout(onOver, wait);
    return () => clearTimeout(timer);
  }, [end]);
  return (
    <time dateTime={until} title={exact(until)} role="timer">
      {end > now ? strings.runs.left(formatRemaining(end - now, brief)) : strings.runs.overdue}
    </time>
  );
}
