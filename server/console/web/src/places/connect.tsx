import { useState } from "preact/hooks";
import { issueToken } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import type { IssuedToken, Me, Role, Workspace } from "../api/types.ts";
import { ROOT } from "../base.ts";
import { Button, Field, Select } from "../parts/controls.tsx";
import { sentenceOf } from "../parts/states.tsx";
import { Snippet } from "../parts/text.tsx";
import { exact } from "../parts/time.tsx";
import { may } from "../session.ts";
import { words } from "../words.ts";
import { snippets } from "./snippets.ts";
import { Tokens, tokensChanged } from "./tokens.tsx";

/** Ready-made configuration for whoever acts as this workspace, and the tokens for it. */
export function Connect({ me, workspace }: { me: Me; workspace: Workspace }) {
  const [issued, setIssued] = useState<IssuedToken>();
  const [client, setClient] = useState("claude-code");
  const url = ROOT.href.replace(/\/$/, "");
  const all = snippets({ url, token: issued?.role === "agent" ? issued.token : undefined, workspace });
  const shown = all.find((each) => each.id === client) ?? all[0];
  const canIssue = may(me, "manage_tokens");
  return (
    <div class="connect">
      <section>
        <h2>{words.connect.token}</h2>
        {canIssue ? <Issue me={me} workspace={workspace} issued={issued} onIssued={setIssued} /> : <p>{words.connect.ask}</p>}
      </section>
      <section>
        <h2>{words.connect.client}</h2>
        <div class="segments wrap" role="group" aria-label={words.connect.client}>
          {all.map((each) => (
            <button key={each.id} type="button" aria-pressed={each.id === shown?.id} onClick={() => setClient(each.id)}>
              {each.name}
            </button>
          ))}
        </div>
        {shown && (
          <>
            <p>{shown.where}</p>
            <Snippet text={shown.text} label={shown.name} />
          </>
        )}
        {issued?.role !== "agent" && <p class="quiet">{words.connect.variable}</p>}
      </section>
      {canIssue && <Tokens workspace={workspace} />}
    </div>
  );
}

interface IssueProps {
  me: Me;
  workspace: Workspace;
  issued: IssuedToken | undefined;
  onIssued: (issued: IssuedToken) => void;
}

function Issue({ me, workspace, issued, onIssued }: IssueProps) {
  const [role, setRole] = useState<Role>("agent");
  const [lifetime, setLifetime] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const roles = may(me, "manage_admin_tokens") ? words.connect.roles : words.connect.roles.slice(0, 1);
  const issue = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const asked = { role, ...(lifetime === "" ? {} : { expires_in: Number(lifetime) }) };
      onIssued((await issueToken(workspace.id, asked)).data);
      tokensChanged(workspace);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <form class="issue" onSubmit={(event) => void issue(event)}>
        <Field label={words.connect.role}>
          {({ id }) => <Select id={id} value={role} options={roles} onChange={setRole} />}
        </Field>
        <Field label={words.connect.lifetime}>
          {({ id }) => <Select id={id} value={lifetime} options={words.connect.lifetimes} onChange={setLifetime} />}
        </Field>
        <Button kind="first" type="submit" isBusy={isBusy}>
          {words.connect.issue}
        </Button>
      </form>
      {failure && (
        <p class="fault" role="alert">
          {sentenceOf(failure)}
        </p>
      )}
      {issued && (
        <div class="issued">
          <p>
            <strong>{words.connect.once}</strong> {words.connect.until(issued.role, exact(issued.expires_at))}
          </p>
          <Snippet text={issued.token} label={words.connect.token} />
        </div>
      )}
    </>
  );
}
