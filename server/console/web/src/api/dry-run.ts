// Dry runs: the server checks a change exactly as it would execute it, and changes nothing.

import { useEffect, useState } from "preact/hooks";
import { type ApiResponse, type Failure, asFailure, isAbort } from "./http.ts";

export interface DryRun<T> {
  /** The effect, once it is known. */
  data: T | undefined;
  /** The refusal of the server. */
  failure: Failure | undefined;
  isLoading: boolean;
}

const NOTHING = { data: undefined, failure: undefined, isLoading: false };
const WAITING = { ...NOTHING, isLoading: true };

/** Sends a dry run whenever `key` changes; sends nothing while `key` is undefined. */
export function useDryRun<T>(key: string | undefined, send: (signal: AbortSignal) => Promise<ApiResponse<T>>): DryRun<T> {
  const [finished, set] = useState<{ key: string; result: DryRun<T> }>();
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    send(controller.signal).then(
      ({ data }) => set({ key, result: { ...NOTHING, data } }),
      (error: unknown) => {
        if (!isAbort(error)) set({ key, result: { ...NOTHING, failure: asFailure(error) } });
      },
    );
    return () => controller.abort();
  }, [key]);
  if (key === undefined) return NOTHING;
  // a result for another key does not apply
  return finished?.key === key ? finished.result : WAITING;
}
