// Stored text is shown as plain text: isolated for right-to-left scripts, never as markup, never as links.

import { useRef, useState } from "preact/hooks";
import { strings } from "../strings.ts";
import { hiddenIn } from "./hidden.ts";
import { CopyIcon, CheckIcon } from "./icons.tsx";
import { Marked, withMarks } from "./stored.tsx";

/** The beginnings of the words that a query marks: endings are cut as stemming does, but not of `kuber*`. */
function markers(query: string): string[] {
  const found = withoutAccents(query.toLowerCase()).match(/[\p{L}\p{N}_]+\*?/gu) ?? [];
  return found.map((word) => (word.endsWith("*") || word.length <= 5 ? word.replace(/[s*]$/, "") : word.slice(0, -2))).filter(Boolean);
}

const WITHOUT_STROKE: Record<string, string> = { đ: "d", ł: "l", ø: "o" };

/** The text without accents, of the same length: words that a query was understood as often have none. */
function withoutAccents(text: string): string {
  return text.replace(/[\u00c0-\u052f\u1e00-\u1fff]/g, (letter) => {
    const lower = letter.toLowerCase();
    return WITHOUT_STROKE[lower] ?? lower.normalize("NFD").charAt(0);
  });
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const STAND_IN = /(\[REDACTED:[A-Z0-9_]+\])/;

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function pattern(query: string): RegExp | undefined {
  const wanted = markers(query);
  if (wanted.length === 0) return undefined;
  const each = wanted.map((word) =>
    SPACELESS.test(word) ? `[${escaped(word)}]{2,}` : `(?<![\\p{L}\\p{N}])${escaped(word)}[\\p{L}\\p{N}_]*`,
  );
  return new RegExp(each.join("|"), "giu");
}

/** The parts of a text: every second one matches. */
function split(text: string, wanted: RegExp): string[] {
  const ends = [...withoutAccents(text).matchAll(wanted)].flatMap(({ index, 0: word }) => [index, index + word.length]);
  return [0, ...ends].map((start, place) => text.slice(start, ends[place]));
}

/** Text with the words of a query, scrubbed secrets and hidden characters marked. */
export function Content({ text, query = "" }: { text: string; query?: string }) {
  const wanted = pattern(query);
  const hidden = hiddenIn(text);
  let start = 0;
  const marked = (part: string) => {
    start += part.length;
    return withMarks(part, start - part.length, hidden);
  };
  return (
    <bdi>
      {text.split(STAND_IN).map((part, index) =>
        index % 2 === 1 ? (
          <span key={index} class="stand-in" title={strings.memory.standIn}>
            {marked(part)}
          </span>
        ) : wanted ? (
          split(part, wanted).map((piece, place) => (place % 2 === 1 ? <mark key={`${index} ${place}`}>{marked(piece)}</mark> : marked(piece)))
        ) : (
          marked(part)
        ),
      )}
    </bdi>
  );
}

/** An id: shortened in the middle, whole on hover and when copied. */
export function Id({ id }: { id: string }) {
  return (
    <Copy text={id} label={strings.copy.id}>
      <code title={id}>{`${id.slice(0, 8)}…${id.slice(-4)}`}</code>
    </Copy>
  );
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // insecure contexts have no clipboard API
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

interface CopyProps {
  text: string;
  label: string;
  children?: preact.ComponentChildren;
}

/** A button that copies a text and confirms it. */
export function Copy({ text, label, children }: CopyProps) {
  const [isDone, setDone] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const onClick = async () => {
    setDone(await copy(text));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(false), 2_000);
  };
  return (
    <button type="button" class="copy" title={label} onClick={() => void onClick()}>
      {children}
      {isDone ? <CheckIcon /> : <CopyIcon />}
      <span class="unseen" aria-live="polite">
        {isDone ? strings.copy.done : label}
      </span>
    </button>
  );
}

/** A block to copy: a command, a configuration, JSON. */
export function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <div class="snippet">
      <pre tabIndex={0} aria-label={label}>
        <Marked text={text} />
      </pre>
      <Copy text={text} label={strings.copy.this} />
    </div>
  );
}
