// Every combination of text and background colour is readable, in both themes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const css = await readFile(new URL("../../dist/console.css", import.meta.url), "utf8");

/** The light and the dark colour of a token. */
function colours(token) {
  const found = new RegExp(`--${token}:\\s*light-dark\\((#[0-9a-f]+),\\s*(#[0-9a-f]+)\\)`, "i").exec(css);
  assert.ok(found, `there is no token ${token}`);
  return found.slice(1, 3);
}

function luminance(colour) {
  const hex = colour.length === 4 ? [...colour.slice(1)].map((digit) => digit + digit).join("") : colour.slice(1, 7);
  const [red, green, blue] = [0, 2, 4].map((place) => {
    const value = parseInt(hex.slice(place, place + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const GROUNDS = ["surface", "sunken", "raised"];
const TEXTS = ["ink", "ink-2", "ink-3", "accent", "warn", "bad"];
const PAIRS = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground, 4.5])),
  ...["local", "team", "global"].map((scope) => [scope, `${scope}-tint`, 4.5]),
  ...GROUNDS.map((ground) => ["edge", ground, 3]),
  ["on-accent", "accent", 4.5],
  ["ink", "mark", 4.5],
];

for (const [text, ground, least] of PAIRS) {
  test(`${text} on ${ground}`, () => {
    for (const theme of [0, 1]) {
      const found = contrast(colours(text)[theme], colours(ground)[theme]);
      assert.ok(found >= least, `${["light", "dark"][theme]}: ${found.toFixed(2)}`);
    }
  });
}
