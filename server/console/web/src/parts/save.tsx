// Saving: a failed save says whether anything was stored. After a lost response the server is asked.

import { useEffect, useRef, useState } from "preact/hooks";
import { Failure, asFailure } from "../api/http.ts";
import { strings } from "../strings.ts";
import { failureMessage } from "./states.tsx";

const CHECK_DELAYS_S = [0.5, 1, 2, 5, 10];

interface Attempt<T> {
  send: () => Promise<T>;
  /** The result of an earlier attempt, if the server has stored it. */
  find: () => Promise<T | undefined>;
  onStored: (result: T) => void;
  /** Called when a later version was stored meanwhile. */
  onConflict?: () => Promise<void>;
}

export interface Save {
  isBusy: boolean;
  failure: Failure | undefined;
  /** Whether the failed save was stored; undefined while that is unknown. */
  isStored: false | undefined;
  run: <T>(attempt: Attempt<T>) => Promise<void>;
}

const IDLE = { isBusy: false, failure: undefined, isStored: undefined };

export function useSave(): Save {
  const [state, set] = useState<Omit<Save, "run">>(IDLE);
  const last = useRef(0);
  useEffect(() => () => void (last.current += 1), []);
  const run = async <T,>({ send, find, onStored, onConflict }: Attempt<T>) => {
    const own = ++last.current;
    const isCurrent = () => own === last.current;
    set({ ...IDLE, isBusy: true });
    const onResult = (result: T) => {
      set(IDLE);
      onStored(result);
    };
    try {
      return onResult(await send());
    } catch (error) {
      const failure = asFailure(error);
      const isConflict = failure.problem.code === "version_conflict";
      // an earlier attempt, whose response was lost, makes a later one conflict
      const earlier = isConflict ? await find().catch(asFailure) : undefined;
      if (earlier !== undefined && !(earlier instanceof Failure)) return onResult(earlier);
      if (isConflict && onConflict) {
        set(IDLE);
        return onConflict();
      }
      set({ isBusy: false, failure, isStored: isDefinite(failure) ? false : undefined });
      if (isDefinite(failure)) return;
      for (let count = 0; isCurrent(); count += 1) {
        await pause(CHECK_DELAYS_S[Math.min(count, CHECK_DELAYS_S.length - 1)] ?? 10);
        const found = await find().catch(asFailure);
        if (!isCurrent() || found instanceof Failure) continue;
        if (found === undefined) return set({ isBusy: false, failure, isStored: false });
        return onResult(found);
      }
    }
  };
  return { ...state, run };
}

/** Whether the server refused the request and stored nothing. */
function isDefinite({ status }: Failure): boolean {
  return status >= 400 && status < 500;
}

const pause = (seconds: number) => new Promise((resolved) => setTimeout(resolved, seconds * 1_000));

/** The sentence on what a failed request did. */
export function outcomeOf(failure: Failure): string {
  return isDefinite(failure) ? strings.save.unchanged : strings.save.unknown;
}

/** What failed, unless a field shows it, and whether anything was stored. */
export function SaveFault({ save, isAtField }: { save: Save; isAtField: boolean }) {
  const { failure, isStored } = save;
  if (!failure) return null;
  const outcome = isDefinite(failure) ? strings.save.notStored : isStored === false ? strings.save.notStoredAfter : strings.save.checking;
  return (
    <p class="fault" role="alert">
      {!isAtField && <bdi dir="ltr">{failureMessage(failure)}</bdi>} {outcome}
    </p>
  );
}
