import { useEffect } from "preact/hooks";

/** Sets the document title from its parts, most specific first. */
export function useTitle(...parts: Array<string | undefined>): void {
  const title = [...parts.filter(Boolean), "orgmem"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
