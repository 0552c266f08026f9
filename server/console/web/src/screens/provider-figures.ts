import type { ProviderFigures } from "../api/types.ts";
import { strings } from "../strings.ts";

const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

export const count = (value: number) => NUMBER.format(value);
export const percent = (part: number) => PERCENT.format(part);

/** A figure with its unit; a mean of nothing is unknown. */
export function figureText(figures: ProviderFigures, name: keyof ProviderFigures): string {
  const value = figures[name];
  switch (name) {
    case "agreement":
    case "overlap":
    case "rank_agreement":
      return figures.samples === 0 ? strings.unknown : percent(value);
    case "error_rate":
      return figures.calls === 0 ? strings.unknown : percent(value);
    case "latency_mean_ms":
    case "latency_max_ms":
      return figures.calls === 0 ? strings.unknown : strings.providers.milliseconds(count(value));
    default:
      return count(value);
  }
}
