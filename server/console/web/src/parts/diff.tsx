import { strings } from "../strings.ts";
import { Marked } from "./stored.tsx";

type Kind = "same" | "removed" | "added";
interface Piece {
  kind: Kind;
  text: string;
}

/** Longer texts are not compared; both are shown whole, in lines. */
const MOST = 600;

/** The changes between two texts by line, and by word within changed lines. */
export function Diff({ from, to }: { from: string; to: string }) {
  return (
    <pre class="diff" tabIndex={0} aria-label={strings.diff.title}>
      {lines(from, to).map((line, index) => (
        <span key={index} class={`line ${line.kind}`}>
          <span class="unseen">{strings.diff.kinds[line.kind]}</span>
          {line.pieces.map((piece, place) => (
            <span key={place} class={piece.kind}>
              <Marked text={piece.text} />
            </span>
          ))}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

interface Line {
  kind: Kind;
  pieces: Piece[];
}

function lines(from: string, to: string): Line[] {
  const [before, after] = [from.split("\n"), to.split("\n")];
  if (before.length > MOST || after.length > MOST) {
    return [...before.map((text) => unchanged("removed", text)), ...after.map((text) => unchanged("added", text))];
  }
  return withWords(compared(before, after));
}

const unchanged = (kind: Kind, text: string): Line => ({ kind, pieces: [{ kind: "same", text }] });

/** Compares a removed line and the added line in its place by word. */
function withWords(pieces: Piece[]): Line[] {
  const found: Line[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const removed = run(pieces, index, "removed");
    const after = run(pieces, index + removed.length, "added");
    if (removed.length > 0 && removed.length === after.length) {
      for (let place = 0; place < removed.length; place += 1) {
        const parts = compared(split(removed[place] ?? ""), split(after[place] ?? ""));
        found.push({ kind: "removed", pieces: parts.filter((part) => part.kind !== "added") });
      }
      for (let place = 0; place < removed.length; place += 1) {
        const parts = compared(split(removed[place] ?? ""), split(after[place] ?? ""));
        found.push({ kind: "added", pieces: parts.filter((part) => part.kind !== "removed") });
      }
      index += removed.length + after.length - 1;
    } else {
      const piece = pieces[index] as Piece;
      found.push(unchanged(piece.kind, piece.text));
    }
  }
  return found;
}

function run(pieces: Piece[], start: number, kind: Kind): string[] {
  const texts: string[] = [];
  for (let index = start; pieces[index]?.kind === kind; index += 1) texts.push(pieces[index]?.text ?? "");
  return texts;
}

const split = (line: string) => line.split(/(\s+|[.,;:{}[\]"()])/).filter((part) => part !== "");

/** The longest common subsequence by dynamic programming, O(n·m). */
export function compared(before: string[], after: string[]): Piece[] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const below = lengths[(i + 1) * width + j] as number;
      const right = lengths[i * width + j + 1] as number;
      const across = lengths[(i + 1) * width + j + 1] as number;
      lengths[i * width + j] = before[i] === after[j] ? across + 1 : Math.max(below, right);
    }
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      pieces.push({ kind: "same", text: before[i] as string });
      i += 1;
      j += 1;
    } else if (j >= after.length || (i < before.length && (lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))) {
      pieces.push({ kind: "removed", text: before[i] as string });
      i += 1;
    } else {
      pieces.push({ kind: "added", text: after[j] as string });
      j += 1;
    }
  }
  return pieces;
}
