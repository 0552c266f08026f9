import { words } from "../words.ts";

type Kind = "same" | "gone" | "new";
interface Piece {
  kind: Kind;
  text: string;
}

/** Beyond this many lines on either side nothing is compared; both are shown whole. */
const MOST = 600;

/** What changed from one text to another, line by line, and within changed lines word by word. */
export function Diff({ from, to }: { from: string; to: string }) {
  return (
    <pre class="diff" tabIndex={0} aria-label={words.diff.title}>
      {lines(from, to).map((line, index) => (
        <span key={index} class={`line ${line.kind}`}>
          <span class="unseen">{words.diff.kinds[line.kind]}</span>
          {line.pieces.map((piece, place) => (
            <span key={place} class={piece.kind}>
              {piece.text}
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
  const [old, young] = [from.split("\n"), to.split("\n")];
  if (old.length > MOST || young.length > MOST) {
    return [...old.map((text) => whole("gone", text)), ...young.map((text) => whole("new", text))];
  }
  return withWords(compared(old, young));
}

const whole = (kind: Kind, text: string): Line => ({ kind, pieces: [{ kind: "same", text }] });

/** A line that went and one that came in its place are compared word by word. */
function withWords(pieces: Piece[]): Line[] {
  const found: Line[] = [];
  for (let index = 0; index < pieces.length; index += 1) {
    const gone = run(pieces, index, "gone");
    const young = run(pieces, index + gone.length, "new");
    if (gone.length > 0 && gone.length === young.length) {
      for (let place = 0; place < gone.length; place += 1) {
        const parts = compared(split(gone[place] ?? ""), split(young[place] ?? ""));
        found.push({ kind: "gone", pieces: parts.filter((part) => part.kind !== "new") });
      }
      for (let place = 0; place < gone.length; place += 1) {
        const parts = compared(split(gone[place] ?? ""), split(young[place] ?? ""));
        found.push({ kind: "new", pieces: parts.filter((part) => part.kind !== "gone") });
      }
      index += gone.length + young.length - 1;
    } else {
      const piece = pieces[index] as Piece;
      found.push(whole(piece.kind, piece.text));
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

/** The longest common part, by the textbook. */
export function compared(old: string[], young: string[]): Piece[] {
  const width = young.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = young.length - 1; j >= 0; j -= 1) {
      const below = lengths[(i + 1) * width + j] as number;
      const beside = lengths[i * width + j + 1] as number;
      const across = lengths[(i + 1) * width + j + 1] as number;
      lengths[i * width + j] = old[i] === young[j] ? across + 1 : Math.max(below, beside);
    }
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    if (i < old.length && j < young.length && old[i] === young[j]) {
      pieces.push({ kind: "same", text: old[i] as string });
      i += 1;
      j += 1;
    } else if (j >= young.length || (i < old.length && (lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number))) {
      pieces.push({ kind: "gone", text: old[i] as string });
      i += 1;
    } else {
      pieces.push({ kind: "new", text: young[j] as string });
      j += 1;
    }
  }
  return pieces;
}
