import { useEffect, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { refresh, useResource } from "../api/resource.ts";
import type { AdminTree, Me } from "../api/types.ts";
import { useTitle } from "../frame/title.ts";
import { ErrorMessage } from "../parts/confirm.tsx";
import { Button } from "../parts/controls.tsx";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { go, workspacePath } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { Import, loadDemo } from "./import.tsx";
import { AttentionList, OrgTable, RecentPlaces } from "./org-table.tsx";
import { NewWorkspace } from "./new-workspace.tsx";

/** The start page: the orgs for an admin, the own workspace for everyone else. */
export function Home({ me }: { me: Me }) {
  const own = me.workspace_id ?? undefined;
  useEffect(() => {
    if (own !== undefined) go(workspacePath(own), { replace: true });
  }, [own]);
  return own === undefined ? <Orgs me={me} /> : <main id="main" class="work" tabIndex={-1} />;
}

/** The time between reloads of the numbers, in milliseconds: no event stream covers all orgs. */
const REFRESH_MS = 30_000;

function Orgs({ me }: { me: Me }) {
  useTitle(strings.orgs.title);
  const tree = useResource<AdminTree>(endpoint.home);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && refresh(endpoint.home), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
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
      {orgs && orgs.length > 0 && (
        <>
          <AttentionList attention={tree.data?.attention ?? []} />
          <OrgTable orgs={orgs} />
          <RecentPlaces />
        </>
      )}
      {doing === "import" && <Import onClose={end} />}
      {doing === "create" && (
        <NewWorkspace title={strings.orgs.create} onClose={end} />
      )}
    </main>
  );
}
