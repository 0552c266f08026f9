import { useEffect, useRef, useState } from "preact/hooks";
import { goWith, useRoute } from "../route.ts";
import { AUDITED_PAUSE_MS, useSettled } from "./debounce.ts";

interface SearchText {
  /** The content of the field. */
  text: string;
  setText: (text: string) => void;
  /** The query to send: the text after a pause. */
  typed: string;
  /** Searches at once for Enter, and for the empty text. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * The query of a list: synchronised between a field and the address, in both directions. Each search is a row of the audit
 * log, so nothing is sent while the user types.
 */
export function useSearchText(): SearchText {
  const { query } = useRoute();
  const inAddress = query.get("q") ?? "";
  const [text, setText] = useState(inAddress);
  const { settled, settle } = useSettled(text.trim(), AUDITED_PAUSE_MS);
  // the list without a query is shown at once
  const typed = text.trim() === "" ? "" : settled;
  // an own update of the address must not overwrite newer input
  const put = useRef(inAddress);
  useEffect(() => {
    if (put.current === typed) return;
    put.current = typed;
    goWith({ q: typed }, { replace: true });
  }, [typed]);
  useEffect(() => {
    if (put.current === inAddress) return;
    put.current = inAddress;
    setText(inAddress);
  }, [inAddress]);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Enter") settle();
  };
  return { text, setText, typed, onKeyDown };
}
