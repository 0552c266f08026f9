import { useEffect } from "preact/hooks";

/** The title of the page says where one is, the nearest first. */
export function useTitle(...parts: Array<string | undefined>): void {
  const title = [...parts.filter(Boolean), "orgmem"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
