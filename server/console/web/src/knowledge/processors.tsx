import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { Me, Processor, Workspace } from "../api/types.ts";
import { focusRow } from "../memories/rows.ts";
import { Link } from "../parts/controls.tsx";
import { useListKeys } from "../parts/list-keys.ts";
import { Empty, ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { knowledgePath } from "./paths.ts";
import { ProcessorDrawer } from "./processor.tsx";

interface ProcessorsProps {
  me: Me;
  workspace: Workspace;
  switcher: ComponentChildren;
}

/** The processors of a workspace, and the built-in definitions that it could activate. */
export function Processors({ me, workspace, switcher }: ProcessorsProps) {
  const { query } = useRoute();
  const list = useRef<HTMLDivElement>(null);
  const processors = useResource<Processor[]>(endpoint.processors(workspace.id));
  const open = query.get("processor") ?? undefined;
  const shown = processors.data?.find(({ name }) => name === open);
  const close = () => {
    goWith({ processor: undefined });
    focusRow(list.current, open);
  };
  useListKeys({ list, onEscape: () => (open === undefined ? false : close()) });
  const hasActive = processors.data?.some(({ active }) => active);
  return (
    <div class={`with-drawer ${open === undefined ? "" : "drawn"}`}>
      <section class="list" aria-label={strings.tabs.knowledge}>
        <div class="list-head">{switcher}</div>
        <div class="rows" aria-busy={processors.isLoading} ref={list}>
          {processors.failure && <ErrorNotice failure={processors.failure} />}
          {!processors.data && !processors.failure && <Skeleton height={32} />}
          {processors.data && !hasActive && (
            <Empty title={strings.processors.none(workspace.name)}>
              <p>{strings.processors.how}</p>
              <Snippet text={`orgmem processor define --built-in bug-import --collection bugs -w ${workspace.id}`} label={strings.processors.how} />
            </Empty>
          )}
          {processors.data && processors.data.length > 0 && <Table processors={processors.data} workspace={workspace} open={open} />}
        </div>
      </section>
      {open !== undefined && processors.data && (
        <ProcessorDrawer key={open} workspace={workspace} name={open} processor={shown} canRun={may(me, "write_rows")} onClose={close} />
      )}
    </div>
  );
}

interface TableProps {
  processors: Processor[];
  workspace: Workspace;
  open: string | undefined;
}

function Table({ processors, workspace, open }: TableProps) {
  return (
    <table class="table keys library">
      <thead>
        <tr>
          <th scope="col">{strings.processors.processor}</th>
          <th scope="col">{strings.processors.collection}</th>
          <th scope="col">{strings.processors.state}</th>
          <th scope="col">{strings.processors.last}</th>
          <th scope="col">{strings.processors.next}</th>
        </tr>
      </thead>
      <tbody>
        {processors.map(({ name, collection, active, last_run_at: last, next_run_at: next }) => (
          <tr key={name} class={name === open ? "open" : ""}>
            <th scope="row">
              <Link to={pathWith({ processor: name })} data-row={name} class={name === open ? "open" : ""} aria-current={name === open ? "page" : undefined}>
                {name}
              </Link>
            </th>
            <td class="value">
              <Link to={knowledgePath(workspace.id, "collections", { collection })}>{collection}</Link>
            </td>
            <td>{active ? strings.processors.states.active : strings.processors.states.builtIn}</td>
            <td>{last ? <Time at={last} brief /> : active && strings.processors.never}</td>
            <td>{next && <NextRun at={next} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The next scheduled run; one that was missed is due. */
export function NextRun({ at }: { at: string }) {
  return Date.parse(at) < Date.now() ? <>{strings.processors.missed}</> : <Time at={at} />;
}
