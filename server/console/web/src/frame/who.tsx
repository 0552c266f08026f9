import { useEffect, useState } from "preact/hooks";
import type { Me } from "../api/types.ts";
import { Button, Select } from "../parts/controls.tsx";
import { relative, useNow } from "../parts/time.tsx";
import { type Preferences, prefer, preferences, whenPreferencesChange } from "../preferences.ts";
import { leave } from "../session.ts";
import { words } from "../words.ts";

/** How long before the session ends it is said, in milliseconds. */
const SOON_MS = 15 * 60_000;

function usePreferences(): Preferences {
  const [shown, set] = useState(preferences.current);
  useEffect(() => whenPreferencesChange(() => set(preferences.current)), []);
  return shown;
}

/** Who one is, how one likes it, and the way out. */
export function Who({ me, onHelp }: { me: Me; onHelp: () => void }) {
  const now = useNow();
  const liked = usePreferences();
  const endsSoon = Date.parse(me.expires_at) - now < SOON_MS;
  return (
    <>
      {endsSoon && <span class="ends-soon">{words.who.endsSoon(relative(me.expires_at, now))}</span>}
      <button type="button" class="who" popovertarget="who">
        <bdi>{me.subject}</bdi>
        <span class="role">{me.role}</span>
      </button>
      <div id="who" class="menu" popover="auto">
        <dl>
          <dt>{words.who.role}</dt>
          <dd>{words.who.may(me.role, me.workspace_name ?? undefined)}</dd>
          <dt>{words.who.until}</dt>
          <dd title={me.expires_at}>{relative(me.expires_at, now)}</dd>
        </dl>
        <label>
          {words.who.theme}
          <Select
            value={liked.theme}
            options={words.who.themes}
            onChange={(theme) => prefer({ theme })}
          />
        </label>
        <label>
          {words.who.density}
          <Select
            value={liked.density}
            options={words.who.densities}
            onChange={(density) => prefer({ density })}
          />
        </label>
        <label>
          {words.who.singleKeys}
          <input
            type="checkbox"
            checked={liked.singleKeys}
            onChange={(event) => prefer({ singleKeys: event.currentTarget.checked })}
          />
        </label>
        <div class="menu-actions">
          <Button kind="quiet" onClick={onHelp}>
            {words.help.title}
          </Button>
          <Button kind="quiet" onClick={() => void leave()}>
            {words.who.leave}
          </Button>
        </div>
      </div>
    </>
  );
}
