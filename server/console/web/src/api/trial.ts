// What a change would do: asked of the server, which decides it as it would in earnest and changes nothing.

import { useEffect, useState } from "preact/hooks";
import { type Answer, type Failure, asFailure, isAbort } from "./http.ts";

export interface Trial<T> {
  /** What it would do, once that is known. */
  data: T | undefined;
  /** Why it would be refused. */
  failure: Failure | undefined;
  isLoading: boolean;
}

const NOTHING = { data: undefined, failure: undefined, isLoading: false };
const WAITING = { ...NOTHING, isLoading: true };

/** Tries what `ask` asks for, anew whenever `of` is another; nothing while that is not known. */
export function useTrial<T>(of: string | undefined, ask: (signal: AbortSignal) => Promise<Answer<T>>): Trial<T> {
  const [answered, set] = useState<{ of: string; trial: Trial<T> }>();
  useEffect(() => {
    if (of === undefined) return;
    const asked = new AbortController();
    ask(asked.signal).then(
      ({ data }) => set({ of, trial: { ...NOTHING, data } }),
      (error: unknown) => {
        if (!isAbort(error)) set({ of, trial: { ...NOTHING, failure: asFailure(error) } });
      },
    );
    return () => asked.abort();
  }, [of]);
  if (of === undefined) return NOTHING;
  // what was found of something else says nothing of this
  return answered?.of === of ? answered.trial : WAITING;
}
