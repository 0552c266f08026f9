import { useState } from "preact/hooks";
import { endpoint, revokeGrant } from "../api/calls.ts";
import { usePages } from "../api/pages.ts";
import { invalidate } from "../api/resource.ts";
import type { Grant, Me, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Button } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { Content, Id } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { Rows } from "./rows.tsx";

interface GrantsProps {
  me: Me;
  workspace: Workspace;
  /** All end users without one. */
  subject?: string;
}

/** The grants of a workspace: which sessions may be read where, and the end user's consent. */
export function Grants({ me, workspace, subject }: GrantsProps) {
  const pages = usePages<Grant>(endpoint.grants(workspace.id, { subject, limit: 20 }));
  const [revoked, ask] = useState<Grant>();
  return (
    <section aria-labelledby="subject-grants">
      <h2 id="subject-grants">{strings.subject.grants}</h2>
      <Rows pages={pages} none={strings.subject.noGrants}>
        <ul class="page-cards">
          {pages.rows?.map((grant) => (
            <li key={grant.id}>
              <Shown grant={grant} />
              <p class="memory-facts">
                <Content text={grant.granted_by} />
                <Time at={grant.created_at} />
                {grant.expires_at && (
                  <span>
                    {strings.subject.until} <Time at={grant.expires_at} />
                  </span>
                )}
              </p>
              {may(me, "manage_grants") && <Button onClick={() => ask(grant)}>{strings.subject.revoke}</Button>}
            </li>
          ))}
        </ul>
      </Rows>
      {revoked && (
        <Confirm
          title={strings.subject.revokeTitle}
          size="narrow"
          label={strings.subject.doRevoke}
          act={async () => (await revokeGrant(workspace.id, revoked.id)) && true}
          find={undefined}
          onDone={() => {
            showToast(strings.subject.isRevoked);
            invalidate((path) => path.startsWith(endpoint.workspace(workspace.id)));
          }}
          onClose={() => ask(undefined)}
        >
          <Shown grant={revoked} />
          <p>{strings.subject.revokeText}</p>
        </Confirm>
      )}
    </section>
  );
}

/** Whose sessions are read where, and what the end user agreed to. */
function Shown({ grant: { subject, sessions, to, evidence } }: { grant: Grant }) {
  const read = sessions === "all" ? strings.subject.allSessions : strings.subject.someSessions(sessions);
  return (
    <>
      <p>
        <Content text={`${subject}: ${read}`} />
        {to.session && (
          <>
            {" "}
            {strings.subject.inSession} <Content text={to.session} />
          </>
        )}
        {to.workspace && (
          <>
            {" "}
            {strings.subject.byWorkspace} <Id id={to.workspace} />
          </>
        )}
      </p>
      <blockquote>
        <Content text={evidence} />
      </blockquote>
    </>
  );
}
