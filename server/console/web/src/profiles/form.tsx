import { useState } from "preact/hooks";
import { createProfile, patchProfile, tryProfile } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import { type Trial, useTrial } from "../api/trial.ts";
import type { CreateProfile, Isolation, Profile, ProfilePreview, Scope, Strategy, Workspace } from "../api/types.ts";
import { SCOPES } from "../memories/filters.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Confirm, Fault } from "../parts/confirm.tsx";
import { Button, Field, Select } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { faultOf } from "../parts/states.tsx";
import { useTyped } from "../parts/typed.ts";
import { words } from "../words.ts";

/** In what an age is given: so many seconds. */
type AgeUnit = (typeof words.profiles.ages)[number][0];

/** The fields as they are typed. */
interface Typed {
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
}

const text = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));

/** An age in the greatest unit that tells it whole; days where none is set. */
function ageOf(seconds: number | null | undefined): Pick<Typed, "age" | "ageIn"> {
  if (seconds === null || seconds === undefined) return { age: "", ageIn: "86400" };
  const [unit] = words.profiles.ages.find(([each]) => seconds % Number(each) === 0) ?? ["1"];
  return { age: String(seconds / Number(unit)), ageIn: unit };
}

function typedOf(profile: Profile | undefined): Typed {
  const { retention, injection } = profile ?? {};
  return {
    name: profile?.name ?? "",
    isDefault: profile?.is_default ?? false,
    isolation: profile?.isolation ?? "tree",
    ...ageOf(retention?.max_age_seconds),
    entries: text(retention?.max_entries),
    strategy: injection?.strategy ?? "confidence",
    limit: text(injection?.limit ?? 5),
    scopes: injection?.scopes ?? [],
    confidence: text(injection?.min_confidence),
    budget: text(injection?.token_budget),
    kinds: profile?.excluded_kinds.join(", ") ?? "",
  };
}

/** A number as it was typed; nothing where nothing was, which takes a bound away. */
const number = (typed: string): number | null => (typed.trim() === "" ? null : Number(typed));

/** So many seconds; whole ones, whatever part of a day was typed. */
function seconds({ age, ageIn }: Typed): number | null {
  const typed = number(age);
  return typed === null ? null : Math.round(typed * Number(ageIn));
}

/** What is asked of the server. */
function wantedOf(typed: Typed, profile: Profile | undefined) {
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
    excluded_kinds: typed.kinds.split(",").map((kind) => kind.trim()).filter(Boolean),
    ...(typed.isDefault && !profile?.is_default ? { is_default: true } : {}),
  };
}

interface ProfileFormProps {
  workspace: Workspace;
  /** None for a new one. */
  profile: Profile | undefined;
  canManage: boolean;
  /** How far the workspace reads now: what its default profile says. */
  inForce: Isolation;
  onSaved: (profile: Profile) => void;
}

/** Each field with what it does, in words. */
export function ProfileForm({ workspace, profile, canManage, inForce, onSaved }: ProfileFormProps) {
  const [typed, set] = useState(() => typedOf(profile));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const change = (part: Partial<Typed>) => set({ ...typed, ...part });
  const [expiring, askAbout] = useState<ProfilePreview>();
  const wanted = wantedOf(typed, profile);
  const told = JSON.stringify(wanted);
  const settled = useTyped(told);
  const isChanged = told !== JSON.stringify(wantedOf(typedOf(profile), profile));
  const trial = useTrial(canManage && isChanged ? settled : undefined, (signal) =>
    tryProfile(workspace.id, profile?.id, JSON.parse(settled), signal),
  );
  const keepsLess = wanted.retention.max_age_seconds !== null || wanted.retention.max_entries !== null;
  const save = async () => {
    const saving = profile
      ? patchProfile(workspace.id, profile.id, wanted)
      : createProfile(workspace.id, wanted as CreateProfile);
    const { data } = await saving;
    set(typedOf(data));
    say(words.profiles.saved(data.name));
    onSaved(data);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      // what has come or gone while one typed counts too
      const now = keepsLess ? (await tryProfile(workspace.id, profile?.id, wanted)).data : undefined;
      if (now && now.expires > 0) askAbout(now);
      else await save();
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const { labels, hints } = words.profiles;
  type Name = "name" | "entries" | "limit" | "confidence" | "budget" | "kinds";
  const field = (name: Name, more: object = { type: "text" }) => (
    <Field label={labels[name]} hint={hints[name]} fault={faultOf(failure, FIELDS[name])}>
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
  /** What can be chosen; where nothing can, what is. */
  const offered = <T extends string>(options: ReadonlyArray<readonly [T, string]>, chosen: T) =>
    canManage ? options : options.filter(([each]) => each === chosen);
  const isTold = Object.values(FIELDS).some((name) => faultOf(failure, name) !== undefined);
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
          {words.profiles.isolations.map(([each, does]) => (
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
            <Effect isDefault={typed.isDefault} isolation={typed.isolation} inForce={inForce} trial={trial} />
          </p>
        </fieldset>
        {field("kinds")}
        <h2>{labels.keeps}</h2>
        <div class="columns">
          <Field label={labels.age} hint={hints.age} fault={faultOf(failure, FIELDS.age)}>
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
                  options={offered(words.profiles.ages, typed.ageIn)}
                  onChange={(ageIn) => change({ ageIn })}
                />
              </div>
            )}
          </Field>
          {field("entries", { type: "number", min: 1 })}
        </div>
        <p class="hint" role="status">
          {isChanged && keepsLess && <Expiring trial={trial} />}
        </p>
        <h2>{labels.injects}</h2>
        <Field label={labels.strategy}>
          {({ id }) => (
            <Select
              id={id}
              value={typed.strategy}
              options={offered(words.profiles.strategies, typed.strategy)}
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
                  onChange={() =>
                    change({
                      scopes: SCOPES.filter((one) => (one === each ? !typed.scopes.includes(one) : typed.scopes.includes(one))),
                    })
                  }
                />
                <ScopeChip scope={each} />
              </label>
            ))}
          </div>
          {faultOf(failure, FIELDS.scopes) ? (
            <p class="fault" role="alert">
              {faultOf(failure, FIELDS.scopes)}
            </p>
          ) : (
            <p class="hint">{hints.scopes}</p>
          )}
        </fieldset>
        <div class="columns three">
          {field("limit", { type: "number", min: 1, max: 50 })}
          {field("budget", { type: "number", min: 1 })}
          {field("confidence", { type: "number", min: 0, max: 1, step: 0.05 })}
        </div>
        {!isTold && <Fault failure={failure} />}
        {canManage && (
          <footer>
            <Button kind="first" type="submit" isBusy={isBusy}>
              {profile ? words.profiles.save : words.profiles.create}
            </Button>
          </footer>
        )}
      </form>
      {expiring && (
        <Confirm
          title={words.profiles.expireTitle(typed.name)}
          size="narrow"
          label={words.profiles.expire(expiring.expires)}
          act={save}
          onClose={() => askAbout(undefined)}
        >
          <p>{words.profiles.expires(expiring)}</p>
          <p>{words.profiles.expireWhat}</p>
        </Confirm>
      )}
    </>
  );
}

interface EffectProps {
  isDefault: boolean;
  isolation: Isolation;
  inForce: Isolation;
  trial: Trial<ProfilePreview>;
}

/** What this would do to what the workspace reads, counted by the server before it is done. */
function Effect({ isDefault, isolation, inForce, trial }: EffectProps) {
  if (!isDefault) return <>{words.profiles.ofItsBlock}</>;
  const far = (each: Isolation) => words.profiles.isolations.findIndex(([one]) => one === each);
  const { loses } = trial.data ?? {};
  const lost = loses && loses.local + loses.team + loses.global;
  const isNarrower = far(isolation) > far(inForce);
  if (lost || (isNarrower && lost === 0)) return <span class="narrows">{words.profiles.narrows(lost)}</span>;
  if (isNarrower) return <span class="narrows">{words.profiles.narrowsUnknown}</span>;
  return <>{isolation === inForce ? words.profiles.inForce : words.profiles.widens}</>;
}

/** What this would let expire at once, counted in the same way. */
function Expiring({ trial }: { trial: Trial<ProfilePreview> }) {
  if (!trial.data) return <>{words.profiles.expiresUnknown}</>;
  return trial.data.expires > 0 ? <span class="narrows">{words.profiles.expires(trial.data)}</span> : null;
}

/** What the server calls the fields when it refuses them. */
const FIELDS = {
  name: "name",
  age: "retention.max_age_seconds",
  entries: "retention.max_entries",
  scopes: "injection.scopes",
  limit: "injection.limit",
  confidence: "injection.min_confidence",
  budget: "injection.token_budget",
  kinds: "excluded_kinds",
} as const;
