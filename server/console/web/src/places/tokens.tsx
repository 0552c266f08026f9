// The tokens of a workspace: for whom, until when, and which are refused already. The tokens themselves are kept nowhere.

import { useState } from "preact/hooks";
import { at, revokeToken, revokeTokens, tryRevocation } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import { changed } from "../api/resource.ts";
import { useTrial } from "../api/trial.ts";
import type { KeptToken, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Button, Link } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { Refused } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { words } from "../words.ts";

/** What is shown of the tokens of a workspace is asked for again. */
export function tokensChanged(workspace: Workspace): void {
  changed((path) => path.startsWith(at.tokens(workspace.id)));
}

export function Tokens({ workspace }: { workspace: Workspace }) {
  const pages = usePages<KeptToken>(at.tokens(workspace.id));
  const [asking, ask] = useState<KeptToken | "all">();
  const ending = useTrial(asking === "all" ? workspace.id : undefined, (signal) => tryRevocation(workspace.id, signal));
  const end = () => ask(undefined);
  // what is open with it changes from moment to moment, so it is asked for anew with the question
  const askAbout = (token: KeptToken) => {
    tokensChanged(workspace);
    ask(token);
  };
  const asked = pages.isLoading || asking === "all" ? undefined : pages.rows?.find(({ jti }) => jti === asking?.jti);
  const open = asked?.streams;
  const revoke = async () => {
    if (asking === "all") await revokeTokens(workspace.id);
    else if (asking) await revokeToken(asking.jti);
    say(asking === "all" ? words.tokens.allRevoked(workspace.name) : words.tokens.revoked);
    tokensChanged(workspace);
  };
  const { title, what, revokeAll, allTitle, oneTitle, oneDo } = words.tokens;
  return (
    <section aria-busy={pages.isLoading}>
      <h2>{title}</h2>
      <p class="quiet">{what}</p>
      {pages.failure && <Refused failure={pages.failure} />}
      {pages.rows?.length === 0 && <p>{words.tokens.none}</p>}
      {pages.rows && pages.rows.length > 0 && <Table tokens={pages.rows} revoke={askAbout} />}
      {pages.hasMore && (
        <Button kind="quiet" isBusy={pages.isLoading} onClick={pages.more}>
          {words.more}
        </Button>
      )}
      <div class="actions">
        <Button kind="danger" onClick={() => ask("all")}>
          {revokeAll}
        </Button>
        <Link class="button quiet" to={`${workspacePath(workspace.id, "access")}?action=issue_token&only=1`}>
          {words.tokens.byWhom}
        </Link>
      </div>
      {asking === "all" && (
        <Confirm title={allTitle} size="narrow" label={revokeAll} act={revoke} onClose={end}>
          <p>
            <bdi>{words.tokens.allSure(workspace.name)}</bdi>
          </p>
          <p>{words.tokens.allEnds(ending.data?.tokens, ending.data?.streams)}</p>
        </Confirm>
      )}
      {asking && asking !== "all" && (
        <Confirm title={oneTitle} size="narrow" label={oneDo} act={revoke} onClose={end}>
          <p>
            <bdi>{words.tokens.oneSure(asking.subject)}</bdi>
          </p>
          <p>{words.tokens.oneEnds(open)}</p>
        </Confirm>
      )}
    </section>
  );
}

function Table({ tokens, revoke }: { tokens: KeptToken[]; revoke: (token: KeptToken) => void }) {
  return (
    <table class="table tokens">
      <thead>
        <tr>
          <th scope="col">{words.tokens.subject}</th>
          <th scope="col">{words.tokens.role}</th>
          <th scope="col">{words.tokens.issued}</th>
          <th scope="col" title={words.tokens.usedWhat}>
            {words.tokens.used}
          </th>
          <th scope="col">{words.tokens.expires}</th>
          <th scope="col">
            <span class="unseen">{words.tokens.oneDo}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.jti}>
            <th scope="row">
              <bdi>{token.subject}</bdi>
            </th>
            <td>{token.role}</td>
            <td>
              <Time at={token.issued_at} />
            </td>
            <td>{token.last_used_at ? <Time at={token.last_used_at} /> : words.tokens.unused}</td>
            <td>
              {token.revoked_at ? (
                <>
                  {words.tokens.refused} <Time at={token.revoked_at} />
                </>
              ) : (
                <Time at={token.expires_at} />
              )}
            </td>
            <td>
              {!token.revoked_at && (
                <Button kind="quiet" onClick={() => revoke(token)}>
                  {words.tokens.oneAsk}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
