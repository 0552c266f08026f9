import { useEffect } from "preact/hooks";
import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { AdminTree, Me } from "../api/types.ts";
import { useTitle } from "../frame/title.ts";
import { Link } from "../parts/controls.tsx";
import { Refused, Waiting } from "../parts/states.tsx";
import { go, workspacePath } from "../route.ts";
import { words } from "../words.ts";

/** The audit of all that one may see: of the own subtree, or of an org. */
export function Audit({ me }: { me: Me }) {
  useTitle(words.access.audit);
  const own = me.workspace_id ?? undefined;
  const tree = useResource<AdminTree>(own === undefined ? at.orgs : undefined);
  const orgs = tree.data?.orgs;
  const only = own ?? (orgs?.length === 1 ? orgs[0]?.org_id : undefined);
  useEffect(() => {
    if (only !== undefined) go(workspacePath(only, "access"), { replace: true });
  }, [only]);
  return (
    <main id="main" class="work" tabIndex={-1}>
      <h1>{words.access.audit}</h1>
      {tree.failure && <Refused failure={tree.failure} />}
      {!orgs && !tree.failure && <Waiting rows={3} height={32} />}
      {orgs && orgs.length !== 1 && (
        <>
          <p>{words.access.which}</p>
          <ul class="orgs">
            {orgs.map((org) => (
              <li key={org.org_id}>
                <Link to={workspacePath(org.org_id, "access")}>
                  <bdi>{org.name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </main>
  );
}
