import { useEffect, useRef, useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { type Resource, refresh, useResource } from "../api/resource.ts";
import type { EmbedderStats, Health, ServerStats, Version } from "../api/types.ts";
import { useTitle } from "../frame/title.ts";
import { Button } from "../parts/controls.tsx";
import { Refused, Waiting } from "../parts/states.tsx";
import { Time, distance } from "../parts/time.tsx";
import { words } from "../words.ts";

const NUMBER = new Intl.NumberFormat();

/** What the server says of itself, each number with its unit and its age. */
export function System() {
  useTitle(words.system.title);
  const stats = useResource<ServerStats>(at.stats);
  const ready = useResource<Health>(at.ready);
  const version = useResource<Version>(at.version);
  const [asked, setAsked] = useState(false);
  const { embedder } = stats.data ?? {};
  const perSecond = useRate(embedder ?? undefined, stats.at);
  const again = () => {
    setAsked(true);
    refresh(at.stats);
    refresh(at.ready);
  };
  return (
    <main id="main" class="work" tabIndex={-1}>
      <div class="work-head">
        <h1>{words.system.title}</h1>
        <Button onClick={again}>{words.again}</Button>
      </div>
      <p class={`ready ${ready.failure ? "bad" : ""}`} role={asked ? "status" : undefined}>
        {readiness(ready)}
      </p>
      {embedder?.failing && (
        <p class="notice" role="status">
          <bdi>{words.system.failing(embedder.failing)}</bdi> <bdi>{words.system.failingAct(embedder.name)}</bdi>
        </p>
      )}
      {stats.failure && <Refused failure={stats.failure} />}
      {!stats.data && !stats.failure && <Waiting rows={6} height={32} />}
      {stats.data && <Numbers stats={stats.data} at={stats.at} version={version.data} perSecond={perSecond} />}
    </main>
  );
}

/** After how long a queue that moves is looked at again, in milliseconds. */
const LOOK_MS = 2_000;

/** How many are embedded a second, from one look at the queue to the next; it is looked at while anything waits. */
function useRate(embedder: EmbedderStats | undefined, answered: number | undefined): number {
  const last = useRef<{ embedded: number; at: number } | undefined>(undefined);
  const [perSecond, set] = useState(0);
  useEffect(() => {
    if (!embedder || answered === undefined) return;
    const before = last.current;
    last.current = { embedded: embedder.embedded, at: answered };
    if (before && answered > before.at) set(((embedder.embedded - before.embedded) * 1_000) / (answered - before.at));
    if (embedder.waiting === 0) return;
    const timer = setTimeout(() => !document.hidden && refresh(at.stats), LOOK_MS);
    return () => clearTimeout(timer);
  }, [answered]);
  return perSecond;
}

function readiness(ready: Resource<Health>): string {
  if (ready.failure) return words.system.notReady(ready.failure.message);
  return ready.data ? words.system.ready : words.system.asking;
}

interface NumbersProps {
  stats: ServerStats;
  at: number | undefined;
  version: Version | undefined;
  /** How many memories are embedded a second. */
  perSecond: number;
}

function Numbers({ stats, at: answered, version, perSecond }: NumbersProps) {
  const { memories } = stats;
  const rows: Array<[string, preact.ComponentChildren]> = [
    [words.system.version, version?.version ?? stats.version],
    [words.system.store, words.system.stores[stats.store] ?? stats.store],
    [words.system.size, size(stats.size_bytes)],
    [words.system.orgs, NUMBER.format(stats.orgs)],
    [words.system.workspaces, NUMBER.format(stats.workspaces)],
    [words.system.memories, NUMBER.format(memories.local + memories.team + memories.global)],
    ["LOCAL", NUMBER.format(memories.local)],
    ["TEAM", NUMBER.format(memories.team)],
    ["GLOBAL", NUMBER.format(memories.global)],
    [words.system.entries, NUMBER.format(stats.entries)],
    [words.system.episodes, NUMBER.format(stats.episodes)],
    ...embedding(stats.embedder, perSecond),
    [words.system.since, <Time at={stats.started_at} />],
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
          {words.asOf} <Time at={new Date(answered).toISOString()} />
        </p>
      )}
    </>
  );
}

/** How far the server counts what waits. */
const COUNTED = 100_000;

/** The embedder, and what waits for it; what went wrong only where something did. */
function embedding(embedder: EmbedderStats | null | undefined, perSecond: number): Array<[string, string]> {
  if (!embedder) return [[words.system.embedder, words.system.noEmbedder]];
  const { waiting, embedded, refused, failed } = embedder;
  const left = distance(0, (waiting * 1_000) / perSecond);
  const isMore = waiting >= COUNTED;
  const count = isMore ? words.system.many(NUMBER.format(waiting)) : NUMBER.format(waiting);
  // how long the rest takes is unknown where the rest is
  const queue = waiting === 0 || isMore ? count : words.system.queue(count, perSecond, left);
  return [
    [words.system.embedder, embedder.name],
    [words.system.waiting, queue],
    [words.system.embedded, NUMBER.format(embedded)],
    ...(refused > 0 ? [[words.system.refused, NUMBER.format(refused)] as [string, string]] : []),
    ...(failed > 0 ? [[words.system.failed, NUMBER.format(failed)] as [string, string]] : []),
  ];
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

function size(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 2 ** (10 * step);
  return `${value < 10 && step > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}
