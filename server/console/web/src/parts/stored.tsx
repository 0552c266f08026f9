// Names and labels from the server, on one line: isolated for right-to-left scripts, with hidden characters marked.

import { type ComponentChildren, toChildArray } from "preact";
import { type HiddenCharacter, codeOf, hiddenIn } from "./hidden.ts";

/** Stored text within the page; elements among the children stay as they are. */
export function Stored({ children }: { children: ComponentChildren }) {
  const parts = toChildArray(children);
  const isText = parts.every((part) => typeof part === "string" || typeof part === "number");
  if (isText) {
    return (
      <bdi>
        <Marked text={parts.join("")} />
      </bdi>
    );
  }
  return <bdi>{parts.map((part) => (typeof part === "string" ? <Marked text={part} /> : part))}</bdi>;
}

/** Text with its hidden characters marked. The marks are drawn by the style sheet, so that the text is copied as it is. */
export function Marked({ text }: { text: string }) {
  return <>{withMarks(text, 0, hiddenIn(text))}</>;
}

/** A part of a text that starts at `start`; `hidden` are the hidden characters of the whole text. */
export function withMarks(part: string, start: number, hidden: HiddenCharacter[]): ComponentChildren {
  const shown: ComponentChildren[] = [];
  let done = 0;
  for (const { at, character } of hidden) {
    if (at < start || at >= start + part.length) continue;
    if (at - start > done) shown.push(part.slice(done, at - start));
    shown.push(
      <span key={at} class="hidden-character" data-code={codeOf(character)}>
        {character}
      </span>,
    );
    done = at - start + character.length;
  }
  return shown.length === 0 ? part : [...shown, part.slice(done)];
}
