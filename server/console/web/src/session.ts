// Who is signed in. The page never keeps a token: it is exchanged for a cookie that scripts cannot read.

import { useEffect, useState } from "preact/hooks";
import { signIn, signOut } from "./api/calls.ts";
import { type Failure, asFailure, whenSessionEnds } from "./api/http.ts";
import { everythingChanged } from "./api/resource.ts";
import type { Me } from "./api/types.ts";

let hasEnded = false;
/** What the server said of the code of the link that opened the page, when it did not take it. */
let refusedCode: Failure | undefined;
const listeners = new Set<() => void>();

function set(ended: boolean): void {
  if (hasEnded === ended) return;
  hasEnded = ended;
  for (const listener of [...listeners]) listener();
}

whenSessionEnds(() => set(true));

/** Whether nobody is signed in, or no longer. */
export function useSessionEnded(): boolean {
  const [ended, redraw] = useState(hasEnded);
  useEffect(() => {
    const listener = () => redraw(hasEnded);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return ended;
}

export const codeRefused = () => refusedCode;

/** Exchanges the one-time code in the address, if there is one, and takes it out of the address first. */
export async function useCodeOfLink(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    await signIn({ code });
  } catch (error) {
    refusedCode = asFailure(error);
  }
}

/** Signs in, and asks again for everything that is shown. */
export async function enter(token: string): Promise<void> {
  await signIn({ token: token.trim() });
  refusedCode = undefined;
  set(false);
  everythingChanged();
}

/** Signs out, and forgets everything: the page begins anew. */
export async function leave(): Promise<void> {
  await signOut();
  location.reload();
}

/** Whether the caller may do this where its role covers; the server decides again when it is done. */
export function may(me: Me, action: string): boolean {
  return me.may.includes(action);
}
