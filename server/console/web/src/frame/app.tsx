import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me } from "../api/types.ts";
import { Toasts } from "../parts/dialog.tsx";
import { Refused } from "../parts/states.tsx";
import { useSessionEnded } from "../session.ts";
import { Frame } from "./frame.tsx";
import { SignIn, SignInAgain } from "./sign-in.tsx";

/** The whole console: signing in, or the frame. */
export function App() {
  const me = useResource<Me>(at.me);
  const hasEnded = useSessionEnded();
  if (me.data) {
    return (
      <>
        <Frame me={me.data} />
        {hasEnded && <SignInAgain me={me.data} />}
        <Toasts />
      </>
    );
  }
  if (hasEnded) return <SignIn />;
  if (me.failure && !me.isLoading) {
    return (
      <main class="alone">
        <Refused failure={me.failure} />
      </main>
    );
  }
  return <div class="top" />;
}
