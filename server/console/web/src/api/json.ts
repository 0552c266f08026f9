// JSON without loss: a JavaScript number rounds large integers and long decimals, so such numbers keep their source text.

interface Reviving {
  source?: string;
}

/** `JSON.rawJSON` of ECMAScript 2026, which TypeScript does not describe yet. */
const raw = (JSON as unknown as { rawJSON?: (source: string) => unknown }).rawJSON;

/** Text that may contain a number that a JavaScript number rounds. Others need no second look. */
const LONG_NUMBER = /\d[\d.]{15}|\de[+-]?\d{3}/i;

/** The significant digits of a number. */
const digits = (number: string) => number.replace(/e.*/i, "").replace(/[-.]/g, "").replace(/^0+|0+$/g, "");

/**
 * Parses JSON. A number that would lose digits becomes an object that `JSON.stringify` writes as it was.
 *
 * @param isExact whether every number keeps its notation, so that `1.0` stays `1.0`
 */
export function parseJson(text: string, isExact = false): unknown {
  if (!raw || (!isExact && !LONG_NUMBER.test(text))) return JSON.parse(text);
  const revive = (_key: string, value: unknown, { source = "" }: Reviving = {}) => {
    if (typeof value !== "number") return value;
    const isKept = isExact ? String(value) === source : digits(String(value)) === digits(source);
    return isKept ? value : raw(source);
  };
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** Whether this browser can keep numbers exactly. */
export const canKeepNumbers = raw !== undefined;

/** Whether two values are the same after storage, where objects have no order and numbers are rounded. */
export function isStoredAs(one: unknown, other: unknown): boolean {
  return normalized(one) === normalized(other);
}

function normalized(value: unknown): string {
  const sort = (_key: string, each: unknown) =>
    each !== null && typeof each === "object" && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort()) : each;
  // a second parse rounds the exact numbers
  return JSON.stringify(JSON.parse(JSON.stringify(value), sort));
}
