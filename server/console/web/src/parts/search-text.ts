import { useEffect, useRef, useState } from "preact/hooks";
import { goWith, useRoute } from "../route.ts";
import { useDebounced } from "./debounce.ts";

interface SearchText {
  /** The content of the field. */
  text: string;
  setText: (text: string) => void;
  /** The debounced query. */
  typed: string;
}

/** The query of a list: synchronised between a field and the address, in both directions. */
export function useSearchText(): SearchText {
  const { query } = useRoute();
  const inAddress = query.get("q") ?? "";
  const [text, setText] = useState(inAddress);
  const typed = useDebounced(text.trim());
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
  return { text, setText, typed };
}
