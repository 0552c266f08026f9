// Names from right-to-left scripts within sentences. Without isolation they would reorder the words and numbers around
// them.

import { visible } from "../parts/hidden.ts";

const RTL = "\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}";
/** Directional controls, which could end the isolation. */
const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Words of a right-to-left script with what is between them. */
const RUN = new RegExp(`[${RTL}](?:[^\\p{L}\`"“”]*[${RTL}\\p{M}])*`, "gu");
const IS_RTL = new RegExp(`[${RTL}]|[\u202a-\u202e\u2066-\u2069]`, "u");

/** Isolated values within sentences, whose isolates are not the stored text's. */
const ISOLATES = /[\u2068\u2069]/;

/** A sentence with its right-to-left parts isolated, and its hidden characters escaped. */
export function isolateRuns(text: string): string {
  const sentence = visible(text, ISOLATES);
  return IS_RTL.test(sentence) ? sentence.replace(CONTROLS, "").replace(RUN, "\u2068$&\u2069") : sentence;
}

/** A value within a sentence, with hidden characters escaped; isolated as a whole if it has right-to-left parts. */
function isolateValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(isolateValue);
  if (isRow(value)) return withIsolatedNames(value);
  if (typeof value !== "string") return value;
  const shown = visible(value, ISOLATES);
  return IS_RTL.test(shown) ? `\u2068${shown.replace(CONTROLS, "")}\u2069` : shown;
}

const isRow = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A row of the server, with its strings isolated. */
const withIsolatedNames = (row: object): object =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === "string" ? isolateValue(value) : value]));

/** The same strings, whose functions isolate their values. */
export function isolating<T extends object>(strings: T): T {
  const wrapped = Object.entries(strings).map(([name, value]) => {
    if (typeof value === "function") return [name, (...values: unknown[]) => value(...values.map(isolateValue))];
    return [name, value !== null && typeof value === "object" && !Array.isArray(value) ? isolating(value) : value];
  });
  return Object.fromEntries(wrapped) as T;
}
