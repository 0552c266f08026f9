// The search mode. Modes that the server is not configured for are disabled, with the server's reason.

import { useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import { failureMessage } from "../parts/states.tsx";
import { goWith, useRoute } from "../route.ts";
import { strings } from "../strings.ts";

/** No workspace has this profile, so the request reads nothing; it only reveals whether the mode is available. */
const PROBE = { mode: "semantic", limit: 1, profile_id: "00000000-0000-0000-0000-000000000000" };

export function ModeMenu({ workspace }: { workspace: string }) {
  const { query } = useRoute();
  const mode = query.get("mode") ?? "";
  // requested when the user approaches the menu
  const [isRequested, setRequested] = useState(mode !== "");
  const { failure } = useResource<unknown>(isRequested ? endpoint.memories(workspace, PROBE) : undefined);
  const why = failure?.problem.code === "not_configured" ? failureMessage(failure) : undefined;
  const { title, keyword, semantic } = strings.modes;
  return (
    <select
      aria-label={title}
      title={why ?? title}
      value={mode}
      onPointerEnter={() => setRequested(true)}
      onFocus={() => setRequested(true)}
      onChange={(event) => goWith({ mode: event.currentTarget.value }, { replace: true })}
    >
      {keyword.map(([each, label]) => (
        <option key={each} value={each} selected={each === mode}>
          {label}
        </option>
      ))}
      <optgroup label={why ?? strings.modes.withEmbedder} disabled={why !== undefined}>
        {semantic.map(([each, label]) => (
          <option key={each} value={each} selected={each === mode}>
            {label}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
