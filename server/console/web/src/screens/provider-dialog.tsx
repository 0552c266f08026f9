import { changeProvider, endpoint } from "../api/calls.ts";
import { useDryRun } from "../api/dry-run.ts";
import { api } from "../api/http.ts";
import { refresh } from "../api/resource.ts";
import type { ProviderList, ProviderSurface, ProviderThresholds } from "../api/types.ts";
import { Confirm, ErrorMessage } from "../parts/confirm.tsx";
import { showToast } from "../parts/dialog.tsx";
import { Skeleton, asSentence } from "../parts/states.tsx";
import { strings } from "../strings.ts";
import { count, figureText, percent } from "./provider-figures.ts";

interface ProviderDialogProps {
  name: string;
  surface: ProviderSurface;
  onClose: () => void;
}

/** The effect of a promotion or demotion, with the current figures and the server's refusal, before it is made. */
export function ProviderDialog({ name, surface: { surface, state }, onClose }: ProviderDialogProps) {
  // the call has no dry run: the report says what the server would decide with the figures of this moment
  const report = useDryRun(surface, (signal) => api<ProviderList>(endpoint.providers, { signal }));
  const isDemotion = state === "promoted";
  const wanted = isDemotion ? "shadow" : "promoted";
  const find = (all: ProviderList | undefined) => all?.providers.find((each) => each.name === name);
  const surfaceOf = (all: ProviderList | undefined) => find(all)?.surfaces.find((each) => each.surface === surface);
  const now = surfaceOf(report.data);
  const thresholds = find(report.data)?.thresholds;
  // the outcome of an earlier attempt whose response was lost
  const findChanged = async () => {
    const found = surfaceOf((await api<ProviderList>(endpoint.providers)).data);
    return found?.state === wanted ? found : undefined;
  };
  const isRefused = !isDemotion && now?.refusal != null;
  const label = isDemotion ? strings.providers.demoteDo : now === undefined || isRefused ? undefined : strings.providers.promoteDo;
  const title = isDemotion ? strings.providers.demoteTitle(name, surface) : strings.providers.promoteTitle(name, surface);
  const effects = isDemotion ? strings.providers.demoteEffect(name, surface) : strings.providers.promoteEffect(name, surface);
  return (
    <Confirm
      title={title}
      size="narrow"
      kind="primary"
      label={label}
      act={async () => (await changeProvider(name, isDemotion ? "demote" : "promote", { surface })).data}
      find={findChanged}
      onDone={() => {
        showToast(isDemotion ? strings.providers.demoted(surface) : strings.providers.promoted(name, surface));
        refresh(endpoint.providers);
      }}
      onClose={onClose}
    >
      <ul class="effects">
        {effects.map((effect) => (
          <li key={effect}>
            <bdi dir="ltr">{effect}</bdi>
          </li>
        ))}
      </ul>
      <ErrorMessage failure={report.failure} isRead />
      {!isDemotion && report.isLoading && <Skeleton rows={2} height={32} />}
      {!isDemotion && now && (
        <div role="status">
          {isRefused ? (
            <p class="fault">
              {strings.providers.refused} <bdi dir="ltr">{asSentence(now.refusal ?? "")}</bdi>
            </p>
          ) : (
            <p>{strings.providers.permitted}</p>
          )}
          {thresholds && <Requirements surface={now} thresholds={thresholds} />}
        </div>
      )}
    </Confirm>
  );
}

/** The figures against the requirements of a promotion. */
function Requirements({ surface: { figures }, thresholds }: { surface: ProviderSurface; thresholds: ProviderThresholds }) {
  const { min_samples, min_agreement, max_error_rate } = thresholds;
  const rows = [
    ["samples", strings.providers.atLeast(count(min_samples))],
    ["agreement", strings.providers.atLeast(percent(min_agreement))],
    ["error_rate", strings.providers.atMost(percent(max_error_rate))],
  ] as const;
  return (
    <table class="table requirements">
      <thead>
        <tr>
          <th scope="col">
            <span class="unseen">{strings.providers.required}</span>
          </th>
          <th scope="col" class="number">
            {strings.providers.now}
          </th>
          <th scope="col" class="number">
            {strings.providers.required}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, required]) => (
          <tr key={name}>
            <th scope="row">{strings.providers.figures[name]}</th>
            <td class="number">{figureText(figures, name)}</td>
            <td class="number">{required}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
