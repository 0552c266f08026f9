// The session. The page never stores a token: the server exchanges it for a cookie that scripts cannot read.

import { useEffect, useState } from "preact/hooks";
import { signIn, signOut } from "./api/calls.ts";
import { type Failure, asFailure, onSessionEnd } from "./api/http.ts";
import { invalidateAll } from "./api/resource.ts";
import type { Me } from "./api/types.ts";
import { forgetPlaces } from "./recent.ts";

let isSignedOut = false;
/** The server's refusal of the one-time code in the link. */
let linkFailure: Failure | undefined;
const listeners = new Set<() => void>();

function set(ended: boolean): void {
  if (isSignedOut === ended) return;
  isSignedOut = ended;
  for (const listener of [...listeners]) listener();
}

onSessionEnd(() => set(true));

/** Whether no session is active. */
export function useSessionEnded(): boolean {
  const [ended, redraw] = useState(isSignedOut);
  useEffect(() => {
    const listener = () => redraw(isSignedOut);
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return ended;
}

export const linkCodeFailure = () => linkFailure;

/** Removes the one-time code from the address, then exchanges it for a session. */
export async function redeemLinkCode(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    await signIn({ code });
  } catch (error) {
    linkFailure = asFailure(error);
  }
}

/** Signs in and reloads everything that is shown. */
export async function signInWithToken(token: string): Promise<void> {
  await signIn({ token: token.trim() });
  linkFailure = undefined;
  set(false);
  invalidateAll();
}

/** Signs out and reloads the page, which discards all state. */
export async function signOutAndReload(): Promise<void> {
  forgetPlaces();
  await signOut();
  location.reload();
}

/** Whether the caller's role permits the action; the server checks each request again. */
export function may(me: Me, action: string): boolean {
  return me.may.includes(action);
}
