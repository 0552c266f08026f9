import { useEffect } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useWindow } from "../api/pages.ts";
import { useResource } from "../api/resource.ts";
import type { AdminTree, Me } from "../api/types.ts";
import { useTitle } from "../frame/title.ts";
import { Link } from "../parts/controls.tsx";
import { Earlier, More } from "../parts/pager.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { go, workspacePath } from "../route.ts";
import { strings } from "../strings.ts";

/** The audit log of everything that the caller may see: its own subtree, or an org. */
export function Audit({ me }: { me: Me }) {
  useTitle(strings.access.audit);
  const own = me.workspace_id ?? undefined;
  const tree = useResource<AdminTree>(own === undefined ? endpoint.orgs : undefined);
  const orgs = tree.data?.orgs;
  const view = useWindow(orgs, "", { at: "start" });
  const only = own ?? (orgs?.length === 1 ? orgs[0]?.org_id : undefined);
  useEffect(() => {
    if (only !== undefined) go(workspacePath(only, "access"), { replace: true });
  }, [only]);
  return (
    <main id="main" class="work" tabIndex={-1}>
      <h1>{strings.access.audit}</h1>
      {tree.failure && <ErrorNotice failure={tree.failure} />}
      {!orgs && !tree.failure && <Skeleton rows={3} height={32} />}
      {orgs && orgs.length !== 1 && (
        <>
          <p>{strings.access.which}</p>
          <Earlier pages={view} />
          <ul class="orgs">
            {view.rows?.map((org) => (
              <li key={org.org_id}>
                <Link to={workspacePath(org.org_id, "access")}>
                  <Stored>{org.name}</Stored>
                </Link>
              </li>
            ))}
          </ul>
          <More pages={view} />
        </>
      )}
    </main>
  );
}
