import { useEffect } from "preact/hooks";
import { visible } from "../parts/hidden.ts";

/** Sets the document title from its parts, most specific first. */
export function useTitle(...parts: Array<string | undefined>): void {
  const title = [...parts.filter((part) => part !== undefined && part !== "").map((part) => visible(part ?? "")), "orgmem"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
