import { useState } from "preact/hooks";
import { createProfile, patchProfile } from "../api/calls.ts";
import { type Failure, asFailure } from "../api/http.ts";
import type { CreateProfile, Isolation, Profile, Scope, Strategy, Workspace } from "../api/types.ts";
import { SCOPES } from "../memories/filters.ts";
import { Fault } from "../parts/confirm.tsx";
import { Button, Field, Select } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { faultOf } from "../parts/states.tsx";
import { goWith } from "../route.ts";
import { words } from "../words.ts";
import { profilesChanged } from "./profiles.tsx";

/** The fields as they are typed. */
interface Typed {
  name: string;
  isDefault: boolean;
  isolation: Isolation;
  age: string;
  entries: string;
  strategy: Strategy;
  limit: string;
  scopes: Scope[];
  confidence: string;
  budget: string;
  kinds: string;
}

const text = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));

function typedOf(profile: Profile | undefined): Typed {
  const { retention, injection } = profile ?? {};
  return {
    name: profile?.name ?? "",
    isDefault: profile?.is_default ?? false,
    isolation: profile?.isolation ?? "tree",
    age: text(retention?.max_age_seconds),
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

interface ProfileFormProps {
  workspace: Workspace;
  /** None for a new one. */
  profile: Profile | undefined;
  canManage: boolean;
}

/** Each field with what it does, in words. */
export function ProfileForm({ workspace, profile, canManage }: ProfileFormProps) {
  const [typed, set] = useState(() => typedOf(profile));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const change = (part: Partial<Typed>) => set({ ...typed, ...part });
  const save = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const wanted = {
      name: typed.name,
      isolation: typed.isolation,
      retention: { max_age_seconds: number(typed.age), max_entries: number(typed.entries) },
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
    try {
      const saving = profile
        ? patchProfile(workspace.id, profile.id, wanted)
        : createProfile(workspace.id, wanted as CreateProfile);
      const { data } = await saving;
      say(words.profiles.saved(data.name));
      profilesChanged(workspace.id);
      goWith({ profile: data.id }, { replace: true });
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  const { labels, hints } = words.profiles;
  type Name = "name" | "age" | "entries" | "limit" | "confidence" | "budget" | "kinds";
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
  const isTold = Object.values(FIELDS).some((name) => faultOf(failure, name) !== undefined);
  return (
    <form class="profile-form" onSubmit={(event) => void save(event)}>
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
      </fieldset>
      <div class="columns">
        {field("age", { type: "number", min: 1 })}
        {field("entries", { type: "number", min: 1 })}
      </div>
      <Field label={labels.strategy}>
        {({ id }) => (
          <Select
            id={id}
            value={typed.strategy}
            options={canManage ? words.profiles.strategies : words.profiles.strategies.filter(([each]) => each === typed.strategy)}
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
              {each}
            </label>
          ))}
        </div>
        <p class="hint">{hints.scopes}</p>
      </fieldset>
      <div class="columns">
        {field("limit", { type: "number", min: 1, max: 50 })}
        {field("budget", { type: "number", min: 1 })}
        {field("confidence", { type: "number", min: 0, max: 1, step: 0.05 })}
      </div>
      {field("kinds")}
      {!isTold && <Fault failure={failure} />}
      {canManage && (
        <footer>
          <Button kind="first" type="submit" isBusy={isBusy}>
            {profile ? words.profiles.save : words.profiles.create}
          </Button>
        </footer>
      )}
    </form>
  );
}

/** What the server calls the fields when it refuses them. */
const FIELDS = {
  name: "name",
  age: "retention.max_age_seconds",
  entries: "retention.max_entries",
  limit: "injection.limit",
  confidence: "injection.min_confidence",
  budget: "injection.token_budget",
  kinds: "excluded_kinds",
} as const;
