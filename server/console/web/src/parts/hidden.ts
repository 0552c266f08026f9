// Invisible and control characters of stored text: agents receive them as escapes, people see them marked. The rules are
// those of the server (`policies/src/quote/visible.rs`).

/** A character without a visible mark at this position, in UTF-16 units. */
export interface HiddenCharacter {
  at: number;
  character: string;
}

/** Controls other than tabs and line feeds, format characters, default ignorables, and the empty Braille cell. */
const CANDIDATES =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;
/** Letters and marks of scripts in which joiners change the form of letters. */
const JOINS =
  /[\u0620-\u06d5\u06ee-\u06fc\u0710-\u07fa\u0840-\u088e\u08a0-\u08c9\u0900-\u0dff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17d3\u1820-\u18aa\u1a20-\u1a5e\u1b05-\u1b4b\ua840-\ua873\ua980-\ua9c0\ufb50-\ufdcf\ufe70-\ufefc\u{10d00}-\u{10d23}\u{11000}-\u{1107f}\u{11080}-\u{110ba}\u{11100}-\u{1114f}\u{11180}-\u{111df}\u{1e900}-\u{1e943}]$/u;
const EMOJI = "\u{1f000}-\u{1faff}\u2190-\u27bf\u2900-\u2bff\u3030\u303d\u3297\u3299\u203c\u2049\u2122\u2139";
const AFTER_EMOJI = new RegExp(`[${EMOJI}]$`, "u");
const BEFORE_EMOJI = new RegExp(`^[${EMOJI}]`, "u");
const KEYCAP = /[0-9#*©®]$/u;
const MONGOLIAN = /[\u1820-\u18aa]$/u;

/** The hidden characters of a text, in order. */
export function hiddenIn(text: string): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  let end = -1;
  for (const { 0: character, index: at } of text.matchAll(CANDIDATES)) {
    // a marked character gives no context: its mark precedes the next one
    const before = at === end ? "" : text.slice(Math.max(0, at - 2), at);
    if (isLegitimate(before, character, text.slice(at + character.length, at + character.length + 2))) continue;
    end = at + character.length;
    found.push({ at, character });
  }
  return found;
}

function isLegitimate(before: string, character: string, after: string): boolean {
  switch (character) {
    case "\r":
      return after.startsWith("\n");
    case "\u200c":
      return JOINS.test(before);
    case "\u200d":
      return JOINS.test(before) || ((AFTER_EMOJI.test(before) || before.endsWith("\ufe0f")) && BEFORE_EMOJI.test(after));
    case "\ufe0e":
    case "\ufe0f":
      return AFTER_EMOJI.test(before) || KEYCAP.test(before);
    case "\u180b":
    case "\u180c":
    case "\u180d":
    case "\u180e":
      return MONGOLIAN.test(before);
    case "\u2800":
      return /[\u2801-\u28ff]$/.test(before) || /^[\u2801-\u28ff]/.test(after);
    default:
      return false;
  }
}

const hex = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase();

/** The name of a character, such as `U+202E`. */
export const codeOf = (character: string): string => `U+${hex(character).padStart(4, "0")}`;

/** The text with escapes such as `\u{202E}` for hidden characters, as agents receive it; for sentences and attributes. */
export function visible(text: string, except?: RegExp): string {
  let shown = "";
  let done = 0;
  for (const { at, character } of hiddenIn(text)) {
    if (except?.test(character)) continue;
    shown += `${text.slice(done, at)}\\u{${hex(character)}}`;
    done = at + character.length;
  }
  return done === 0 ? text : shown + text.slice(done);
}
