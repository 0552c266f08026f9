import { useState } from "preact/hooks";
import { issueToken } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import type { IssuedToken, Me, Role, Workspace } from "../api/types.ts";
import { ROOT } from "../base.ts";
import { ErrorMessage } from "../parts/confirm.tsx";
import { Button, Field, Select } from "../parts/controls.tsx";
import { Snippet } from "../parts/text.tsx";
import { exact } from "../parts/time.tsx";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { snippets } from "./snippets.ts";
import { Tokens, invalidateTokens } from "./tokens.tsx";

/** Configuration for clients that act as this workspace, and its tokens. */
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
        <h2>{strings.connect.token}</h2>
        {canIssue ? <Issue me={me} workspace={workspace} issued={issued} onIssued={setIssued} /> : <p>{strings.connect.askAdmin}</p>}
      </section>
      <section>
        <h2>{strings.connect.client}</h2>
        <div class="segments wrap" role="group" aria-label={strings.connect.client}>
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
        {issued?.role !== "agent" && <p class="quiet">{strings.connect.variable}</p>}
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
  const roles = may(me, "manage_admin_tokens") ? strings.connect.roles : strings.connect.roles.slice(0, 1);
  const issue = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const request = { role, ...(lifetime === "" ? {} : { expires_in: Number(lifetime) }) };
      onIssued((await issueToken(workspace.id, request)).data);
      invalidateTokens(workspace);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <form class="issue" onSubmit={(event) => void issue(event)}>
        <Field label={strings.connect.role}>
          {({ id }) => <Select id={id} value={role} options={roles} onChange={setRole} />}
        </Field>
        <Field label={strings.connect.lifetime}>
          {({ id }) => <Select id={id} value={lifetime} options={strings.connect.lifetimes} onChange={setLifetime} />}
        </Field>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {strings.connect.issue}
        </Button>
      </form>
      <ErrorMessage failure={failure} />
      {issued && (
        <div class="issued">
          <p>
            <strong>{strings.connect.once}</strong> {strings.connect.until(issued.role, exact(issued.expires_at))}
          </p>
          <Snippet text={issued.token} label={strings.connect.token} />
        </div>
      )}
    </>
  );
}
