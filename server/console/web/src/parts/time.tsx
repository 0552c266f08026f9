// Times: relative to now, with the exact instant in the tooltip.

import { useEffect, useState } from "preact/hooks";
import { strings } from "../strings.ts";

const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
const SECONDS = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const MINUTES = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });
const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

const STEPS: Array<[limit: number, seconds: number, unit: string]> = [
  [60, 1, "s"],
  [3_600, 60, "min"],
  [86_400, 3_600, "h"],
  [86_400 * 60, 86_400, "d"],
  [86_400 * 730, 86_400 * 30.44, "months"],
  [Infinity, 86_400 * 365.25, "years"],
];

/** The distance in either direction: `3 d`, `2 h`, `now`. */
export function distance(from: number, to: number): string {
  const seconds = Math.abs(to - from) / 1000;
  if (seconds < 5) return strings.time.now;
  const [, unit, name] = STEPS.find(([limit]) => seconds < limit) ?? [0, 1, "s"];
  return `${Math.floor(seconds / unit)} ${name}`;
}

/** `3 d ago`, `in 2 h`. */
export function relative(instant: string, now = Date.now()): string {
  const at = Date.parse(instant);
  const far = distance(now, at);
  if (far === strings.time.now) return far;
  return at > now ? strings.time.ahead(far) : strings.time.ago(far);
}

export const exact = (instant: string) => EXACT.format(new Date(instant));
export const clock = (instant: string) => MINUTES.format(new Date(instant));
export const clockWithSeconds = (instant: string) => SECONDS.format(new Date(instant));
export const day = (instant: string) => DAY.format(new Date(instant));
export const short = (instant: string) => SHORT.format(new Date(instant));

const listeners = new Set<() => void>();
setInterval(() => {
  if (!document.hidden) for (const listener of [...listeners]) listener();
}, 30_000);

/**
 * The current time, updated every 30 seconds. Other renders use the time of the render, so no instant lies in the
 * future.
 */
export function useNow(): number {
  const [, set] = useState(0);
  useEffect(() => {
    const listener = () => set(Date.now());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return Date.now();
}

/** A time: `3 d ago`, or `3 d` when brief; exact on hover and for screen readers. */
export function Time({ at, brief }: { at: string; brief?: boolean }) {
  const now = useNow();
  const text = brief ? distance(now, Date.parse(at)) : relative(at, now);
  return (
    <time dateTime={at} title={exact(at)}>
      {text}
    </time>
  );
}
