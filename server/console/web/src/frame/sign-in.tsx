import { useState } from "preact/hooks";
import { type Failure, asFailure } from "../api/http.ts";
import type { Me } from "../api/types.ts";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { failureMessage } from "../parts/states.tsx";
import { linkCodeFailure, signInWithToken } from "../session.ts";
import { strings } from "../strings.ts";
import { useTitle } from "./title.ts";

export function SignIn() {
  useTitle(strings.signIn.title);
  const linkFailure = linkCodeFailure();
  return (
    <main class="centred">
      <img src="icon.svg" alt="" width="40" height="40" />
      <h1>{strings.signIn.title}</h1>
      {linkFailure && (
        <p class="notice" role="alert">
          {failureMessage(linkFailure)}
        </p>
      )}
      <TokenForm />
    </main>
  );
}

/** A dialog over the page, so that the user loses no input. */
export function SignInAgain({ me }: { me: Me }) {
  return (
    <Dialog title={strings.signIn.ended} size="narrow" onClose={() => {}} isForced>
      <p>{strings.signIn.again(me.subject)}</p>
      <TokenForm />
    </Dialog>
  );
}

function TokenForm() {
  const [token, setToken] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy || token.trim() === "") return;
    setBusy(true);
    try {
      await signInWithToken(token);
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Field label={strings.signIn.token} hint={strings.signIn.where} fault={failure && failureMessage(failure)}>
        {(attributes) => (
          <input
            {...attributes}
            type="password"
            autocomplete="off"
            spellcheck={false}
            autofocus
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {strings.signIn.do}
      </Button>
    </form>
  );
}
