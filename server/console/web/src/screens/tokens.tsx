// The tokens of a workspace: subject, expiry, revocation. The tokens themselves are not stored.

import { useState } from "preact/hooks";
import { endpoint, revokeToken, revokeTokens, dryRunRevocation } from "../api/calls.ts";
import { type ApiResponse, api } from "../api/http.ts";
import { usePages } from "../api/pages.ts";
import { invalidate } from "../api/resource.ts";
import { useDryRun } from "../api/dry-run.ts";
import type { TokenInfo, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Button, Link } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { ErrorNotice } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Time } from "../parts/time.tsx";
import { workspacePath } from "../route.ts";
import { strings } from "../strings.ts";

/** Reloads the tokens of a workspace. */
export function invalidateTokens(workspace: Workspace): void {
  invalidate((path) => path.startsWith(endpoint.tokens(workspace.id)));
}

export function Tokens({ workspace }: { workspace: Workspace }) {
  const pages = usePages<TokenInfo>(endpoint.tokens(workspace.id));
  const [asking, ask] = useState<TokenInfo | "all">();
  const ending = useDryRun(asking === "all" ? workspace.id : undefined, (signal) => dryRunRevocation(workspace.id, signal));
  const end = () => ask(undefined);
  // the number of open streams changes constantly, so it is reloaded with the dialog
  const askAbout = (token: TokenInfo) => {
    invalidateTokens(workspace);
    ask(token);
  };
  const selected = pages.isLoading || asking === "all" ? undefined : pages.all?.find(({ jti }) => jti === asking?.jti);
  const open = selected?.streams;
  const revoke = async () => {
    if (asking === "all") await revokeTokens(workspace.id);
    else if (asking) await revokeToken(asking.jti);
    return true as const;
  };
  const findRevoked = async () => {
    if (asking === "all") return (await dryRunRevocation(workspace.id)).data.tokens === 0 || undefined;
    for (let path: string | undefined = endpoint.tokens(workspace.id); path !== undefined; ) {
      const page: ApiResponse<TokenInfo[]> = await api(path);
      const token = page.data.find(({ jti }) => jti === asking?.jti);
      if (token) return token.revoked_at ? true : undefined;
      path = page.next;
    }
    return true;
  };
  const onRevoked = () => {
    showToast(asking === "all" ? strings.tokens.allRevoked(workspace.name) : strings.tokens.revoked);
    invalidateTokens(workspace);
  };
  const { title, description, revokeAll, allTitle, oneTitle, confirmOne } = strings.tokens;
  return (
    <section aria-busy={pages.isLoading}>
      <h2>{title}</h2>
      <p class="quiet">{description}</p>
      {pages.failure && <ErrorNotice failure={pages.failure} />}
      {pages.rows?.length === 0 && <p>{strings.tokens.none}</p>}
      <Earlier pages={pages} />
      {pages.rows && pages.rows.length > 0 && <Table tokens={pages.rows} revoke={askAbout} />}
      <More pages={pages} />
      <div class="actions">
        <Button kind="danger" onClick={() => ask("all")}>
          {revokeAll}
        </Button>
        <Link class="button quiet" to={`${workspacePath(workspace.id, "access")}?action=issue_token&only=1`}>
          {strings.tokens.issuers}
        </Link>
      </div>
      {asking === "all" && (
        <Confirm title={allTitle} size="narrow" label={revokeAll} act={revoke} find={findRevoked} onDone={onRevoked} onClose={end}>
          <p>
            <bdi dir="ltr">{strings.tokens.allText(workspace.name)}</bdi>
          </p>
          <p>{strings.tokens.allEffect(ending.data?.tokens, ending.data?.streams)}</p>
        </Confirm>
      )}
      {asking && asking !== "all" && (
        <Confirm title={oneTitle} size="narrow" label={confirmOne} act={revoke} find={findRevoked} onDone={onRevoked} onClose={end}>
          <p>
            <bdi dir="ltr">{strings.tokens.oneText(asking.subject)}</bdi>
          </p>
          <p>{strings.tokens.oneEffect(open)}</p>
        </Confirm>
      )}
    </section>
  );
}

function Table({ tokens, revoke }: { tokens: TokenInfo[]; revoke: (token: TokenInfo) => void }) {
  return (
    <table class="table tokens">
      <thead>
        <tr>
          <th scope="col">{strings.tokens.subject}</th>
          <th scope="col">{strings.tokens.role}</th>
          <th scope="col">{strings.tokens.issued}</th>
          <th scope="col" title={strings.tokens.usedHint}>
            {strings.tokens.used}
          </th>
          <th scope="col">{strings.tokens.expires}</th>
          <th scope="col">
            <span class="unseen">{strings.tokens.confirmOne}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.jti}>
            <th scope="row">
              <Stored>{token.subject}</Stored>
            </th>
            <td>{token.role}</td>
            <td>
              <Time at={token.issued_at} />
            </td>
            <td>{token.last_used_at ? <Time at={token.last_used_at} /> : strings.tokens.unused}</td>
            <td>
              {token.revoked_at ? (
                <>
                  {strings.tokens.revokedMark} <Time at={token.revoked_at} />
                </>
              ) : (
                <Time at={token.expires_at} />
              )}
            </td>
            <td>
              {!token.revoked_at && (
                <Button kind="quiet" onClick={() => revoke(token)}>
                  {strings.tokens.revokeOne}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
