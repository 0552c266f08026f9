import type { ComponentChildren } from "preact";

export type Fact = readonly [name: string, value: ComponentChildren];

/** Names with their values; a fact without a value is left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const given = facts.filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false);
  return (
    <dl class="facts-list">
      {given.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
