import { useEffect, useRef, useState } from "preact/hooks";
import { goWith, useRoute } from "../route.ts";
import { useTyped } from "./typed.ts";

interface SearchText {
  /** What is in the field. */
  text: string;
  setText: (text: string) => void;
  /** What is asked for: the text, once the typing pauses. */
  typed: string;
}

/** The query of a list: typed into a field, kept in the address, and brought back into the field by Back. */
export function useSearchText(): SearchText {
  const { query } = useRoute();
  const inAddress = query.get("q") ?? "";
  const [text, setText] = useState(inAddress);
  const typed = useTyped(text.trim());
  // what was put into the address from here must not overwrite what was typed since
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
