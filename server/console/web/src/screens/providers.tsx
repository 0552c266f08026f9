// The providers of the system page: health, outbox and figures by surface, and the switch.

import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { ProviderFigures, ProviderList, ProviderReport, ProviderSurface } from "../api/types.ts";
import { useKeys } from "../keys.ts";
import { focusRow, moveFocus } from "../memories/rows.ts";
import { Button, Link } from "../parts/controls.tsx";
import { size } from "../parts/size.ts";
import { ErrorNotice, Skeleton, asSentence } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { Snippet } from "../parts/text.tsx";
import { Time } from "../parts/time.tsx";
import { goWith, pathWith, useRoute } from "../route.ts";
import { strings } from "../strings.ts";
import { ProviderDialog } from "./provider-dialog.tsx";
import { count, figureText } from "./provider-figures.ts";

/** The name of a surface of a provider among the rows. */
const rowOf = (provider: string, surface: string) => `${provider} ${surface}`;

/** The providers, the built-in one first. */
export function Providers() {
  const list = useResource<ProviderList>(endpoint.providers);
  const { query } = useRoute();
  const rows = useRef<HTMLElement>(null);
  const [provider, surface] = [query.get("provider"), query.get("surface")];
  const open = provider !== null && surface !== null ? rowOf(provider, surface) : undefined;
  useKeys({
    "j": () => moveFocus(rows.current, 1),
    "ArrowDown": () => moveFocus(rows.current, 1),
    "k": () => moveFocus(rows.current, -1),
    "ArrowUp": () => moveFocus(rows.current, -1),
    "Escape": () => {
      if (open === undefined) return false;
      goWith({ provider: undefined, surface: undefined });
      return focusRow(rows.current, open);
    },
  });
  return (
    <section class="providers" aria-labelledby="providers" aria-busy={list.isLoading} ref={rows}>
      <h2 id="providers">{strings.providers.title}</h2>
      <p class="hint">{strings.providers.description}</p>
      {list.failure && <ErrorNotice failure={list.failure} />}
      {!list.data && !list.failure && <Skeleton rows={2} height={48} />}
      {list.data?.providers.map((each) => (
        <Provider key={each.name} provider={each} open={open} />
      ))}
      {list.data?.providers.length === 1 && (
        <>
          <p>
            {strings.providers.none} {strings.providers.how}
          </p>
          <Snippet text={strings.providers.example} label={strings.providers.how} />
        </>
      )}
    </section>
  );
}

function Provider({ provider, open }: { provider: ProviderReport; open: string | undefined }) {
  const { name, version, error, outbox, thresholds, surfaces, capabilities = [] } = provider;
  // only an engine of the settings has thresholds
  const isBuiltIn = !thresholds;
  const shown = surfaces.find(({ surface }) => rowOf(name, surface) === open);
  return (
    <article class="provider">
      <h3>
        <Stored>{isBuiltIn ? strings.providers.builtIn : name}</Stored>
        {version && (
          <span class="status">
            <Stored>{strings.providers.version(version)}</Stored>
          </span>
        )}
      </h3>
      {error && (
        <p class="fault">
          <bdi dir="ltr">{asSentence(strings.providers.silent(error))}</bdi>
        </p>
      )}
      {isBuiltIn ? (
        <p class="hint">{strings.providers.builtInText}</p>
      ) : (
        <dl class="facts-list">
          <div>
            <dt>{strings.providers.outbox}</dt>
            <dd>
              {strings.providers.pending(count(outbox.rows), size(outbox.bytes))}
              {", "}
              <span class={outbox.dropped > 0 ? "status late" : ""} title={strings.providers.droppedHint}>
                {strings.providers.dropped(count(outbox.dropped))}
              </span>
            </dd>
          </div>
          {capabilities.length > 0 && (
            <div>
              <dt>{strings.providers.capabilities}</dt>
              <dd>
                <Stored>{capabilities.join(", ")}</Stored>
              </dd>
            </div>
          )}
        </dl>
      )}
      {surfaces.length > 0 && <Surfaces provider={provider} open={open} />}
      {shown && <Detail key={shown.surface} provider={provider} surface={shown} />}
    </article>
  );
}

/** The figures that decide, by surface. */
const COLUMNS = ["samples", "agreement", "error_rate", "latency_mean_ms"] as const;

function Surfaces({ provider, open }: { provider: ProviderReport; open: string | undefined }) {
  return (
    <table class="table surfaces">
      <thead>
        <tr>
          <th scope="col">{strings.providers.surface}</th>
          <th scope="col">{strings.providers.state}</th>
          {COLUMNS.map((name) => (
            <th key={name} scope="col" class="number">
              {strings.providers.figures[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {provider.surfaces.map((surface) => {
          const row = rowOf(provider.name, surface.surface);
          return (
            <tr key={row} class={row === open ? "open" : ""}>
              <th scope="row">
                <Link
                  to={pathWith({ provider: provider.name, surface: surface.surface })}
                  data-row={row}
                  class={row === open ? "open" : ""}
                  aria-current={row === open ? "page" : undefined}
                >
                  <Stored>{surface.surface}</Stored>
                </Link>
              </th>
              <td>
                <StateMark surface={surface} />
              </td>
              {COLUMNS.map((name) => (
                <td key={name} class="number">
                  {figureText(surface.figures, name)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The state; only a problem has a colour. */
function StateMark({ surface: { state } }: { surface: ProviderSurface }) {
  const mark = { shadow: "", promoted: "now", disqualified: "bad" }[state];
  return <span class={`status ${mark}`}>{strings.providers.states[state]}</span>;
}

/** Every figure of a surface, why it cannot be promoted, and the switch. */
function Detail({ provider, surface }: { provider: ProviderReport; surface: ProviderSurface }) {
  const [isAsking, ask] = useState(false);
  const shown = useRef<HTMLElement>(null);
  useEffect(() => shown.current?.scrollIntoView({ block: "nearest" }), []);
  const { state, figures, refusal, changed_at: since } = surface;
  const title = strings.providers.detail(provider.name, surface.surface);
  const names = Object.keys(strings.providers.figures) as (keyof ProviderFigures)[];
  return (
    <section class="surface" aria-label={title} ref={shown}>
      <h4>
        <bdi dir="ltr">{title}</bdi>
      </h4>
      <p>
        {strings.providers.effects[state]}
        {since && (
          <>
            {" "}
            {strings.providers.changed} <Time at={since} />.
          </>
        )}
      </p>
      {state === "shadow" && refusal && (
        <p>
          {strings.providers.refused} <bdi dir="ltr">{asSentence(refusal)}</bdi>
        </p>
      )}
      {state !== "disqualified" && (
        <Button onClick={() => ask(true)}>{state === "promoted" ? strings.providers.demote : strings.providers.promote}</Button>
      )}
      <table class="facts">
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{strings.providers.figures[name]}</th>
              <td>{figureText(figures, name)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAsking && <ProviderDialog name={provider.name} surface={surface} onClose={() => ask(false)} />}
    </section>
  );
}
