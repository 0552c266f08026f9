// Saving and other changes: a failed one says whether anything was changed. After a lost response the server is asked.

import { useEffect, useRef, useState } from "preact/hooks";
import { Failure, asFailure } from "../api/http.ts";
import { strings } from "../strings.ts";
import { failureMessage } from "./states.tsx";

const CHECK_DELAYS_S = [0.5, 1, 2, 5, 10];

interface Attempt<T> {
  send: () => Promise<T>;
  /** The result of an earlier attempt, if the server has stored it; absent where the server cannot be asked. */
  find?: (() => Promise<T | undefined>) | undefined;
  onStored: (result: T) => void;
  /** Called when a later version was stored meanwhile. */
  onConflict?: () => Promise<void>;
}

export interface Save {
  isBusy: boolean;
  failure: Failure | undefined;
  /** Whether the failed save was stored; undefined while that is unknown. */
  isStored: false | undefined;
  /** Whether the server is being asked. */
  isChecking: boolean;
  run: <T>(attempt: Attempt<T>) => Promise<void>;
}

const IDLE = { isBusy: false, failure: undefined, isStored: undefined, isChecking: false } as const;

export function useSave(): Save {
  const [state, set] = useState<Omit<Save, "run">>(IDLE);
  const last = useRef(0);
  // whether the outcome of an earlier attempt is unknown
  const isOpen = useRef(false);
  useEffect(() => () => void (last.current += 1), []);
  const run = async <T,>({ send, find, onStored, onConflict }: Attempt<T>) => {
    const own = ++last.current;
    const isCurrent = () => own === last.current;
    set({ ...IDLE, isBusy: true });
    const onResult = (result: T) => {
      isOpen.current = false;
      set(IDLE);
      onStored(result);
    };
    try {
      return onResult(await send());
    } catch (error) {
      const failure = asFailure(error);
      const isConflict = failure.problem.code === "version_conflict";
      // an earlier attempt, whose response was lost, makes a later one fail
      const earlier = isConflict || (isOpen.current && isDefinite(failure)) ? await find?.().catch(asFailure) : undefined;
      if (earlier !== undefined && !(earlier instanceof Failure)) return onResult(earlier);
      if (isConflict && onConflict) {
        set(IDLE);
        return onConflict();
      }
      const isChecking = !isDefinite(failure) && find !== undefined;
      set({ isBusy: false, failure, isStored: isDefinite(failure) ? false : undefined, isChecking });
      if (!find || !isChecking) return;
      isOpen.current = true;
      for (let count = 0; isCurrent(); count += 1) {
        await pause(CHECK_DELAYS_S[Math.min(count, CHECK_DELAYS_S.length - 1)] ?? 10);
        const found = await find().catch(asFailure);
        if (!isCurrent() || found instanceof Failure) continue;
        if (found !== undefined) return onResult(found);
        isOpen.current = false;
        return set({ ...IDLE, failure, isStored: false });
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

/** What failed, unless a field shows it, and whether the change was made. */
export function ChangeFault({ save, isAtField = false }: { save: Save; isAtField?: boolean }) {
  const { failure, isStored, isChecking } = save;
  if (!failure) return null;
  const outcome = isChecking ? strings.save.asking : isStored === false && !isDefinite(failure) ? strings.save.notDone : outcomeOf(failure);
  return (
    <p class="fault" role="alert">
      {!isAtField && <bdi dir="ltr">{failureMessage(failure)}</bdi>} {outcome}
    </p>
  );
}

/** Whether the server answers 404 or 410 where there was something. */
export async function isGone(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return false;
  } catch (error) {
    const { status } = asFailure(error);
    if (status === 404 || status === 410) return true;
    throw error;
  }
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
