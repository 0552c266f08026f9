import { useEffect, useState } from "preact/hooks";
import { endpoint, createWorkspace } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { useResource } from "../api/resource.ts";
import type { AdminTree, Me, OrgSummary } from "../api/types.ts";
import { useTitle } from "../frame/title.ts";
import { ErrorMessage } from "../parts/confirm.tsx";
import { Button, Link } from "../parts/controls.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { go, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { Import, loadDemo } from "./import.tsx";
import { NewWorkspace } from "./new-workspace.tsx";

/** The start page: the orgs for an admin, the own workspace for everyone else. */
export function Home({ me }: { me: Me }) {
  const own = me.workspace_id ?? undefined;
  useEffect(() => {
    if (own !== undefined) go(workspacePath(own), { replace: true });
  }, [own]);
  return own === undefined ? <Orgs me={me} /> : <main id="main" class="work" tabIndex={-1} />;
}

function Orgs({ me }: { me: Me }) {
  useTitle(strings.orgs.title);
  const tree = useResource<AdminTree>(endpoint.orgs);
  const [doing, begin] = useState<"create" | "import">();
  const [failure, setFailure] = useState<Failure>();
  const [isLoading, setLoading] = useState(false);
  const end = () => begin(undefined);
  const demo = async () => {
    setLoading(true);
    setFailure(undefined);
    try {
      await loadDemo();
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setLoading(false);
    }
  };
  const orgs = tree.data?.orgs;
  return (
    <main id="main" class="work" tabIndex={-1}>
      <div class="work-head">
        <h1>{strings.orgs.title}</h1>
        {may(me, "import_org") && <Button onClick={() => begin("import")}>{strings.import.ask}</Button>}
        {may(me, "create_org") && <Button onClick={() => begin("create")}>{strings.orgs.create}</Button>}
      </div>
      {tree.failure && <ErrorNotice failure={tree.failure} />}
      {!orgs && !tree.failure && <Skeleton rows={3} height={44} />}
      {orgs?.length === 0 && (
        <Empty title={strings.orgs.none}>
          <p>{strings.orgs.how}</p>
          {may(me, "import_org") && (
            <>
              <Button kind="primary" isBusy={isLoading} onClick={() => void demo()}>
                {strings.orgs.demo}
              </Button>
              <ErrorMessage failure={failure} />
              <p class="quiet">{strings.orgs.demoText}</p>
            </>
          )}
        </Empty>
      )}
      {orgs && orgs.length > 0 && <OrgTable orgs={orgs} />}
      {doing === "import" && <Import onClose={end} />}
      {doing === "create" && (
        <NewWorkspace
          title={strings.orgs.create}
          onClose={end}
          create={(name, role) => createWorkspace({ name, ...(role === "" ? {} : { role }) })}
        />
      )}
    </main>
  );
}

function OrgTable({ orgs }: { orgs: OrgSummary[] }) {
  return (
    <div class="scroll">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{strings.orgs.name}</th>
            <th scope="col" class="number">
              {strings.system.workspaces}
            </th>
            <th scope="col" class="number">
              LOCAL
            </th>
            <th scope="col" class="number">
              TEAM
            </th>
            <th scope="col" class="number">
              GLOBAL
            </th>
            <th scope="col">{strings.orgs.created}</th>
          </tr>
        </thead>
        <tbody>
          {orgs.map((org) => (
            <tr key={org.org_id}>
              <th scope="row">
                <Link to={workspacePath(org.org_id)}>
                  <bdi>{org.name}</bdi>
                </Link>
              </th>
              <td class="number">{org.workspaces}</td>
              <td class="number">{org.memories.local}</td>
              <td class="number">{org.memories.team}</td>
              <td class="number">{org.memories.global}</td>
              <td>
                <Time at={org.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
