import type { Budget as BudgetRow } from "../api/types.ts";
import { strings } from "../strings.ts";

/** The limits of a workspace's own budget, each with what the workspace and everything below it use. */
export function Budget({ budget }: { budget: BudgetRow }) {
  const { limits, used } = budget;
  const shown = (Object.keys(strings.budget.limits) as (keyof typeof limits)[]).flatMap((name) => {
    const limit = limits[name];
    return limit == null ? [] : [strings.budget.limits[name](used[name], limit)];
  });
  return <p class="budget">{strings.budget.of(shown)}</p>;
}
