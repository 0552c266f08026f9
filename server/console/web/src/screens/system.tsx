import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { type Resource, refresh, useResource } from "../api/resource.ts";
import type { EmbedderStats, RerankerStats, Health, ServerStats, Version } from "../api/types.ts";
import { useTitle } from "../frame/title.ts";
import { Button } from "../parts/controls.tsx";
import { size } from "../parts/size.ts";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Time, distance } from "../parts/time.tsx";
import { strings } from "../strings.ts";
import { Providers } from "./providers.tsx";

const NUMBER = new Intl.NumberFormat();

/** Statistics of the server, each with its unit and age. */
export function System() {
  useTitle(strings.system.title);
  const stats = useResource<ServerStats>(endpoint.stats);
  const ready = useResource<Health>(endpoint.ready);
  const version = useResource<Version>(endpoint.version);
  const [isRefreshed, setRefreshed] = useState(false);
  const { embedder, reranker } = stats.data ?? {};
  const perSecond = useRate(embedder ?? undefined, stats.at);
  const again = () => {
    setRefreshed(true);
    refresh(endpoint.stats);
    refresh(endpoint.ready);
    refresh(endpoint.providers);
  };
  return (
    <main id="main" class="work" tabIndex={-1}>
      <div class="work-head">
        <h1>{strings.system.title}</h1>
        <Button onClick={again}>{strings.refresh}</Button>
      </div>
      <p class={`ready ${ready.failure ? "bad" : ""}`} role={isRefreshed ? "status" : undefined}>
        {readiness(ready)}
      </p>
      {embedder?.failing && (
        <p class="notice" role="status">
          <bdi dir="ltr">{strings.system.failing(embedder.failing)}</bdi> <bdi dir="ltr">{strings.system.failingAct(embedder.name)}</bdi>
        </p>
      )}
      {reranker?.failing && (
        <p class="notice" role="status">
          <bdi dir="ltr">{strings.system.rerankerFailing(reranker.failing)}</bdi>{" "}
          <bdi dir="ltr">{strings.system.rerankerFailingAct(reranker.name)}</bdi>
        </p>
      )}
      {stats.failure && <ErrorNotice failure={stats.failure} />}
      {!stats.data && !stats.failure && <Skeleton rows={6} height={32} />}
      {stats.data && <Numbers stats={stats.data} at={stats.at} version={version.data} perSecond={perSecond} />}
      <Providers />
    </main>
  );
}

/** Polling interval while the embedding queue is not empty, in milliseconds. */
const LOOK_MS = 2_000;

/** Embeddings per second between two responses; polls while the queue is not empty. */
function useRate(embedder: EmbedderStats | undefined, answered: number | undefined): number {
  const last = useRef<{ embedded: number; at: number } | undefined>(undefined);
  const [perSecond, set] = useState(0);
  useEffect(() => {
    if (!embedder || answered === undefined) return;
    const before = last.current;
    last.current = { embedded: embedder.embedded, at: answered };
    if (before && answered > before.at) set(((embedder.embedded - before.embedded) * 1_000) / (answered - before.at));
    if (embedder.waiting === 0) return;
    const timer = setTimeout(() => !document.hidden && refresh(endpoint.stats), LOOK_MS);
    return () => clearTimeout(timer);
  }, [answered]);
  return perSecond;
}

function readiness(ready: Resource<Health>): string {
  if (ready.failure) return strings.system.notReady(ready.failure.message);
  return ready.data ? strings.system.ready : strings.system.checking;
}

interface NumbersProps {
  stats: ServerStats;
  at: number | undefined;
  version: Version | undefined;
  /** Embeddings per second. */
  perSecond: number;
}

function Numbers({ stats, at: answered, version, perSecond }: NumbersProps) {
  const { memories } = stats;
  const rows: Array<[string, preact.ComponentChildren]> = [
    [strings.system.version, version?.version ?? stats.version],
    [strings.system.store, strings.system.stores[stats.store] ?? stats.store],
    [strings.system.size, size(stats.size_bytes)],
    [strings.system.orgs, NUMBER.format(stats.orgs)],
    [strings.system.workspaces, NUMBER.format(stats.workspaces)],
    [strings.system.memories, NUMBER.format(memories.local + memories.team + memories.global)],
    ["LOCAL", NUMBER.format(memories.local)],
    ["TEAM", NUMBER.format(memories.team)],
    ["GLOBAL", NUMBER.format(memories.global)],
    [strings.system.entries, NUMBER.format(stats.entries)],
    [strings.system.episodes, NUMBER.format(stats.episodes)],
    ...embedding(stats.embedder, perSecond),
    ...reranking(stats.reranker),
    [strings.system.since, <Time at={stats.started_at} />],
  ];
  return (
    <>
      <table class="facts">
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name} class={/^[A-Z]+$/.test(name) ? "part" : ""}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {answered !== undefined && (
        <p class="quiet">
          {strings.asOf} <Time at={new Date(answered).toISOString()} />
        </p>
      )}
    </>
  );
}

/** The server counts the queue up to this number. */
const COUNTED = 100_000;

/** The embedder and its queue; error counts only where they are not zero. */
function embedding(embedder: EmbedderStats | null | undefined, perSecond: number): Array<[string, string]> {
  if (!embedder) return [[strings.system.embedder, strings.system.noEmbedder]];
  const { waiting, embedded, refused, failed } = embedder;
  const left = distance(0, (waiting * 1_000) / perSecond);
  const isMore = waiting >= COUNTED;
  const count = isMore ? strings.system.many(NUMBER.format(waiting)) : NUMBER.format(waiting);
  // the remaining time is unknown when the length of the queue is
  const queue = waiting === 0 || isMore ? count : strings.system.queue(count, perSecond, left);
  return [
    [strings.system.embedder, embedder.name],
    [strings.system.waiting, queue],
    [strings.system.embedded, NUMBER.format(embedded)],
    ...(refused > 0 ? [[strings.system.refused, NUMBER.format(refused)] as [string, string]] : []),
    ...(failed > 0 ? [[strings.system.failed, NUMBER.format(failed)] as [string, string]] : []),
  ];
}

/** The reranker, where one is configured; the count of failures only where it is not zero. */
function reranking(reranker: RerankerStats | null | undefined): Array<[string, string]> {
  if (!reranker) return [];
  const rows: Array<[string, string]> = [
    [strings.system.reranker, reranker.name],
    [strings.system.reranked, NUMBER.format(reranker.succeeded)],
  ];
  return reranker.failed > 0 ? [...rows, [strings.system.notReranked, NUMBER.format(reranker.failed)]] : rows;
}
