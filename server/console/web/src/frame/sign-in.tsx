import { useState } from "preact/hooks";
import { type Failure, asFailure } from "../api/http.ts";
import type { Me } from "../api/types.ts";
import { Button, Field } from "../parts/controls.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { sentenceOf } from "../parts/states.tsx";
import { codeRefused, enter } from "../session.ts";
import { words } from "../words.ts";
import { useTitle } from "./title.ts";

/** One field for a token, a sentence on where to get one, and nothing else. */
export function SignIn() {
  useTitle(words.signIn.title);
  const refused = codeRefused();
  return (
    <main class="alone">
      <img src="icon.svg" alt="" width="40" height="40" />
      <h1>{words.signIn.title}</h1>
      {refused && (
        <p class="notice" role="alert">
          {sentenceOf(refused)}
        </p>
      )}
      <TokenForm />
    </main>
  );
}

/** Over the page, so that nothing typed is lost. */
export function SignInAgain({ me }: { me: Me }) {
  return (
    <Dialog title={words.signIn.ended} size="narrow" onClose={() => {}} isForced>
      <p>{words.signIn.again(me.subject)}</p>
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
      await enter(token);
    } catch (error) {
      setFailure(asFailure(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Field label={words.signIn.token} hint={words.signIn.where} fault={failure && sentenceOf(failure)}>
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
      <Button kind="first" type="submit" isBusy={isBusy}>
        {words.signIn.do}
      </Button>
    </form>
  );
}
