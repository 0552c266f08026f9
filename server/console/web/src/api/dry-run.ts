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

const RETRY_DELAYS_S = [1, 2, 5, 10, 30];

/**
 * Sends a dry run whenever `key` changes; sends nothing while `key` is undefined. After a transient failure it is sent
 * again, because no later event would do so.
 */
export function useDryRun<T>(key: string | undefined, send: (signal: AbortSignal) => Promise<ApiResponse<T>>): DryRun<T> {
  const [finished, set] = useState<{ key: string; result: DryRun<T> }>();
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = (failures: number) => {
      send(controller.signal).then(
        ({ data }) => set({ key, result: { ...NOTHING, data } }),
        (error: unknown) => {
          if (isAbort(error)) return;
          const failure = asFailure(error);
          set({ key, result: { ...NOTHING, failure } });
          if (!failure.isTransient || controller.signal.aborted) return;
          const wait = failure.retryAfter ?? RETRY_DELAYS_S[Math.min(failures, RETRY_DELAYS_S.length - 1)] ?? 30;
          timer = setTimeout(() => attempt(failures + 1), wait * 1000);
        },
      );
    };
    attempt(0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  if (key === undefined) return NOTHING;
  // a result for another key does not apply
  return finished?.key === key ? finished.result : WAITING;
}
