// How a search finds: by words, by meaning, by both. What the server is not set up for is there, disabled, with its reason.

import { useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import { sentenceOf } from "../parts/states.tsx";
import { goWith, useRoute } from "../route.ts";
import { words } from "../words.ts";

/** No workspace has this profile, so nothing is read, whatever the server is set up for: only why not is told. */
const TRIAL = { mode: "semantic", limit: 1, profile_id: "00000000-0000-0000-0000-000000000000" };

export function ModeMenu({ workspace }: { workspace: string }) {
  const { query } = useRoute();
  const mode = query.get("mode") ?? "";
  // asked once one reaches for it
  const [isNear, setNear] = useState(mode !== "");
  const { failure } = useResource<unknown>(isNear ? at.memories(workspace, TRIAL) : undefined);
  const why = failure?.problem.code === "not_configured" ? sentenceOf(failure) : undefined;
  const { title, byWords, byMeaning } = words.modes;
  return (
    <select
      aria-label={title}
      title={why ?? title}
      value={mode}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onChange={(event) => goWith({ mode: event.currentTarget.value }, { replace: true })}
    >
      {byWords.map(([each, label]) => (
        <option key={each} value={each} selected={each === mode}>
          {label}
        </option>
      ))}
      <optgroup label={why ?? words.modes.meaning} disabled={why !== undefined}>
        {byMeaning.map(([each, label]) => (
          <option key={each} value={each} selected={each === mode}>
            {label}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
