import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me } from "../api/types.ts";
import { Boundary } from "../parts/boundary.tsx";
import { Toasts } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/states.tsx";
import { UnsavedDialog } from "../parts/unsaved.tsx";
import { useSessionEnded } from "../session.ts";
import { Frame } from "./frame.tsx";
import { SignIn, SignInAgain } from "./sign-in.tsx";

/** The console: the sign-in form, or the frame. */
export function App() {
  const me = useResource<Me>(endpoint.me);
  const hasEnded = useSessionEnded();
  if (me.data) {
    return (
      <>
        <Boundary>
          <Frame me={me.data} />
        </Boundary>
        {hasEnded && <SignInAgain me={me.data} />}
        <UnsavedDialog />
        <Toasts />
      </>
    );
  }
  if (hasEnded) return <SignIn />;
  if (me.failure && !me.isLoading) {
    return (
      <main class="centred">
        <ErrorNotice failure={me.failure} />
      </main>
    );
  }
  return <div class="top" />;
}
