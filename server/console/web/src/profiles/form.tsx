import { useState } from "preact/hooks";
import { createProfile, endpoint, patchProfile, dryRunProfile } from "../api/calls.ts";
import { type Failure, api, asFailure } from "../api/http.ts";
import { type DryRun, useDryRun } from "../api/dry-run.ts";
import type { CreateProfile, Isolation, PatchProfile, Profile, ProfilePreview, Scope, Strategy, Workspace } from "../api/types.ts";
import { SCOPES } from "../memories/filters.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Confirm, ErrorMessage } from "../parts/confirm.tsx";
import { Button, Field, Select } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { SaveFault, useSave } from "../parts/save.tsx";
import { failureMessage, fieldError } from "../parts/states.tsx";
import { useUnsaved } from "../parts/unsaved.tsx";
import { useDebounced } from "../parts/debounce.ts";
import { strings } from "../strings.ts";

/** Seconds per unit of an age. */
type AgeUnit = (typeof strings.profiles.ages)[number][0];

/** The input of the form. */
interface FormValues {
  name: string;
  isDefault: boolean;
  isolation: Isolation;
  age: string;
  ageIn: AgeUnit;
  entries: string;
  strategy: Strategy;
  limit: string;
  scopes: Scope[];
  confidence: string;
  budget: string;
  kinds: string;
  pageScope: Scope;
}

const text = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));

/** An age in the largest unit that divides it; days by default. */
function ageOf(seconds: number | null | undefined): Pick<FormValues, "age" | "ageIn"> {
  if (seconds === null || seconds === undefined) return { age: "", ageIn: "86400" };
  const [unit] = strings.profiles.ages.find(([each]) => seconds % Number(each) === 0) ?? ["1"];
  return { age: String(seconds / Number(unit)), ageIn: unit };
}

function typedOf(profile: Profile | undefined): FormValues {
  const { retention, injection } = profile ?? {};
  return {
    name: profile?.name ?? "",
    isDefault: profile?.is_default ?? false,
    isolation: profile?.isolation ?? "tree",
    ...ageOf(retention?.max_age_seconds),
    entries: text(retention?.max_entries),
    strategy: injection?.strategy ?? "relevance",
    limit: text(injection?.limit ?? 5),
    scopes: injection?.scopes ?? [],
    confidence: text(injection?.min_confidence),
    budget: text(injection?.token_budget),
    kinds: profile?.excluded_kinds.join(", ") ?? "",
    pageScope: profile?.page_scope ?? "LOCAL",
  };
}

/** The number, or null for empty input, which removes a limit. */
const number = (typed: string): number | null => (typed.trim() === "" ? null : Number(typed));

/** The age in whole seconds. */
function seconds({ age, ageIn }: FormValues): number | null {
  const typed = number(age);
  return typed === null ? null : Math.round(typed * Number(ageIn));
}

/** The body of the request. */
function bodyOf(typed: FormValues, profile: Profile | undefined) {
  return {
    name: typed.name,
    isolation: typed.isolation,
    retention: { max_age_seconds: seconds(typed), max_entries: number(typed.entries) },
    injection: {
      strategy: typed.strategy,
      limit: number(typed.limit) ?? 5,
      scopes: typed.scopes,
      min_confidence: number(typed.confidence),
      token_budget: number(typed.budget),
    },
    page_scope: typed.pageScope,
    excluded_kinds: typed.kinds.split(",").map((kind) => kind.trim()).filter(Boolean),
    ...(typed.isDefault && !profile?.is_default ? { is_default: true } : {}),
  };
}

/** The body with a name: the counts do not depend on it, and the server refuses a profile without one. */
function withName(body: PatchProfile, profile: Profile | undefined): PatchProfile {
  return body.name?.trim() === "" ? { ...body, name: profile?.name ?? UNNAMED } : body;
}

/** The name of a new profile in a dry run before the user has typed one. */
const UNNAMED = "unnamed draft";

interface ProfileFormProps {
  workspace: Workspace;
  /** Undefined for a new profile. */
  profile: Profile | undefined;
  canManage: boolean;
  /** The isolation of the default profile, which is in force. */
  inForce: Isolation;
  onSaved: (profile: Profile) => void;
}

/** The form of a profile, with the effect of each field. */
export function ProfileForm({ workspace, profile, canManage, inForce, onSaved }: ProfileFormProps) {
  const [typed, set] = useState(() => typedOf(profile));
  const [refused, setRefused] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  // two changes may precede the next render, so a change applies to the current values and not to the rendered ones
  const changeBy = (update: (now: FormValues) => Partial<FormValues>) => set((now) => ({ ...now, ...update(now) }));
  const change = (part: Partial<FormValues>) => changeBy(() => part);
  const [expiring, askAbout] = useState<ProfilePreview>();
  const body = bodyOf(typed, profile);
  const serialized = JSON.stringify(body);
  const settled = useDebounced(serialized);
  const isChanged = serialized !== JSON.stringify(bodyOf(typedOf(profile), profile));
  useUnsaved(canManage && isChanged, ["profile"], () => {});
  const dryRun = useDryRun(canManage && isChanged ? settled : undefined, (signal) =>
    dryRunProfile(workspace.id, profile?.id, withName(JSON.parse(settled), profile), signal),
  );
  const keepsLess = body.retention.max_age_seconds !== null || body.retention.max_entries !== null;
  const saving = useSave();
  const save = () =>
    saving.run<Profile>({
      send: async () =>
        (await (profile ? patchProfile(workspace.id, profile.id, body) : createProfile(workspace.id, body as CreateProfile))).data,
      find: async () => {
        const { data } = await api<Profile[]>(endpoint.profiles(workspace.id));
        const stored = data.find(({ id, name }) => (profile ? id === profile.id : name === body.name));
        return stored && JSON.stringify(bodyOf(typedOf(stored), stored)) === JSON.stringify(bodyOf(typed, stored)) ? stored : undefined;
      },
      onStored: (stored) => {
        set(typedOf(stored));
        showToast(strings.profiles.saved(stored.name));
        onSaved(stored);
      },
    });
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy || saving.isBusy) return;
    setBusy(true);
    setRefused(undefined);
    try {
      // counts again, because memories may have changed while the user typed
      const now = keepsLess ? (await dryRunProfile(workspace.id, profile?.id, body)).data : undefined;
      if (now && now.expires > 0) askAbout(now);
      else await save();
    } catch (error) {
      setRefused(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const failure = saving.failure ?? refused;
  const { labels, hints } = strings.profiles;
  type Name = "name" | "entries" | "limit" | "confidence" | "budget" | "kinds";
  const field = (name: Name, more: object = { type: "text" }) => (
    <Field label={labels[name]} hint={hints[name]} fault={fieldError(failure, FIELDS[name])}>
      {(attributes) => (
        <input
          {...attributes}
          {...more}
          readOnly={!canManage}
          value={typed[name]}
          onInput={(event) => change({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  /** All options; only the selected one for a user who cannot change it. */
  const offered = <T extends string>(options: ReadonlyArray<readonly [T, string]>, chosen: T) =>
    canManage ? options : options.filter(([each]) => each === chosen);
  // only a root shares with the whole org
  const isRoot = workspace.parent_id === null || workspace.parent_id === undefined;
  const pageScopes = strings.profiles.pageScopes.filter(([each]) => each !== "GLOBAL" || isRoot);
  const hasFieldError = Object.values(FIELDS).some((name) => fieldError(failure, name) !== undefined);
  return (
    <>
      <form class="profile-form" onSubmit={(event) => void submit(event)}>
        {field("name")}
        <label class="check">
          <input
            type="checkbox"
            checked={typed.isDefault}
            disabled={!canManage || profile?.is_default}
            onChange={(event) => change({ isDefault: event.currentTarget.checked })}
          />
          {labels.isDefault}
        </label>
        <h2>{labels.reads}</h2>
        <fieldset class="scope-choice" disabled={!canManage}>
          <legend>{labels.isolation}</legend>
          {strings.profiles.isolations.map(([each, does]) => (
            <label key={each} class="choice-line">
              <input
                type="radio"
                name="isolation"
                checked={typed.isolation === each}
                onChange={() => change({ isolation: each })}
              />
              {does}
            </label>
          ))}
          <p class="hint" role="status">
            <Effect isDefault={typed.isDefault} isolation={typed.isolation} inForce={inForce} dryRun={dryRun} />
          </p>
        </fieldset>
        {field("kinds")}
        <Field label={labels.pageScope} hint={hints.pageScope} fault={fieldError(failure, FIELDS.pageScope)}>
          {({ id }) => (
            <Select
              id={id}
              value={typed.pageScope}
              options={offered(pageScopes, typed.pageScope)}
              onChange={(pageScope) => change({ pageScope })}
            />
          )}
        </Field>
        <h2>{labels.keeps}</h2>
        <div class="columns">
          <Field label={labels.age} hint={hints.age} fault={fieldError(failure, FIELDS.age)}>
            {(attributes) => (
              <div class="with-unit">
                <input
                  {...attributes}
                  type="number"
                  min="0"
                  step="any"
                  readOnly={!canManage}
                  value={typed.age}
                  onInput={(event) => change({ age: event.currentTarget.value })}
                />
                <Select
                  label={labels.ageIn}
                  value={typed.ageIn}
                  options={offered(strings.profiles.ages, typed.ageIn)}
                  onChange={(ageIn) => change({ ageIn })}
                />
              </div>
            )}
          </Field>
          {field("entries", { type: "number", min: 1 })}
        </div>
        <p class="hint" role="status">
          {isChanged && keepsLess && <Expiring dryRun={dryRun} />}
        </p>
        <h2>{labels.injects}</h2>
        <Field label={labels.strategy}>
          {({ id }) => (
            <Select
              id={id}
              value={typed.strategy}
              options={offered(strings.profiles.strategies, typed.strategy)}
              onChange={(strategy) => change({ strategy })}
            />
          )}
        </Field>
        <fieldset class="scope-choice" disabled={!canManage}>
          <legend>{labels.scopes}</legend>
          <div class="checks">
            {SCOPES.map((each) => (
              <label key={each} class="check">
                <input
                  type="checkbox"
                  checked={typed.scopes.includes(each)}
                  onChange={(event) => {
                    const isChosen = event.currentTarget.checked;
                    changeBy(({ scopes }) => ({ scopes: SCOPES.filter((one) => (one === each ? isChosen : scopes.includes(one))) }));
                  }}
                />
                <ScopeChip scope={each} />
              </label>
            ))}
          </div>
          {fieldError(failure, FIELDS.scopes) ? (
            <p class="fault" role="alert">
              {fieldError(failure, FIELDS.scopes)}
            </p>
          ) : (
            <p class="hint">{hints.scopes}</p>
          )}
        </fieldset>
        <div class="columns three">
          {field("limit", { type: "number", min: 1, max: 50 })}
          {field("budget", { type: "number", min: 1 })}
          {field("confidence", { type: "number", min: 0, max: 1, step: "any" })}
        </div>
        {refused && !hasFieldError && <ErrorMessage failure={refused} />}
        <SaveFault save={saving} isAtField={hasFieldError} />
        {canManage && (
          <footer>
            <Button kind="primary" type="submit" isBusy={isBusy || saving.isBusy}>
              {profile ? strings.profiles.save : strings.profiles.create}
            </Button>
          </footer>
        )}
      </form>
      {expiring && (
        <Confirm
          title={strings.profiles.expireTitle(typed.name)}
          size="narrow"
          label={strings.profiles.expire(expiring.expires)}
          act={async () => void save()}
          find={undefined}
          onDone={() => askAbout(undefined)}
          onClose={() => askAbout(undefined)}
        >
          <p>{strings.profiles.expires(expiring)}</p>
          <p>{strings.profiles.expireText}</p>
        </Confirm>
      )}
    </>
  );
}

interface EffectProps {
  isDefault: boolean;
  isolation: Isolation;
  inForce: Isolation;
  dryRun: DryRun<ProfilePreview>;
}

/** The effect on the readable memories, as counted by a dry run. */
function Effect({ isDefault, isolation, inForce, dryRun }: EffectProps) {
  if (!isDefault) return <>{strings.profiles.notDefault}</>;
  const far = (each: Isolation) => strings.profiles.isolations.findIndex(([one]) => one === each);
  const { loses } = dryRun.data ?? {};
  const lost = loses && loses.local + loses.team + loses.global;
  const isNarrower = far(isolation) > far(inForce);
  if (lost || (isNarrower && lost === 0)) return <span class="narrows">{strings.profiles.narrows(lost)}</span>;
  if (isNarrower) return <Unknown text={strings.profiles.narrowsUnknown} dryRun={dryRun} />;
  return <>{isolation === inForce ? strings.profiles.inForce : strings.profiles.widens}</>;
}

/** The memories that would expire, as counted by a dry run. */
function Expiring({ dryRun }: { dryRun: DryRun<ProfilePreview> }) {
  if (!dryRun.data) return <Unknown text={strings.profiles.expiresUnknown} dryRun={dryRun} />;
  return dryRun.data.expires > 0 ? <span class="narrows">{strings.profiles.expires(dryRun.data)}</span> : null;
}

/** An unknown number, with the server's reason where it refused the dry run. */
function Unknown({ text, dryRun }: { text: string; dryRun: DryRun<ProfilePreview> }) {
  const { failure } = dryRun;
  return (
    <span class="narrows">
      {text}
      {failure && (
        <>
          {" "}
          <bdi dir="ltr">{failureMessage(failure)}</bdi>
        </>
      )}
    </span>
  );
}

/** Names of the fields in the server's errors. */
const FIELDS = {
  name: "name",
  age: "retention.max_age_seconds",
  entries: "retention.max_entries",
  scopes: "injection.scopes",
  limit: "injection.limit",
  confidence: "injection.min_confidence",
  budget: "injection.token_budget",
  kinds: "excluded_kinds",
  pageScope: "page_scope",
} as const;
