const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A number of bytes with its unit. */
export function size(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 2 ** (10 * step);
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}
