import { useEffect, useState } from "preact/hooks";
import type { Me } from "../api/types.ts";
import { Button, Select } from "../parts/controls.tsx";
import { Stored } from "../parts/stored.tsx";
import { relative, useNow } from "../parts/time.tsx";
import { type Preferences, setPreferences, preferences, onPreferencesChange } from "../preferences.ts";
import { signOutAndReload } from "../session.ts";
import { strings } from "../strings.ts";

/** How early the end of the session is announced, in milliseconds. */
const SOON_MS = 15 * 60_000;

function usePreferences(): Preferences {
  const [shown, set] = useState(preferences.current);
  useEffect(() => onPreferencesChange(() => set(preferences.current)), []);
  return shown;
}

/** The caller, the preferences and the sign-out button. */
export function AccountMenu({ me, onHelp }: { me: Me; onHelp: () => void }) {
  const now = useNow();
  const current = usePreferences();
  const endsSoon = Date.parse(me.expires_at) - now < SOON_MS;
  return (
    <>
      {endsSoon && <span class="ends-soon">{strings.account.endsSoon(relative(me.expires_at, now))}</span>}
      <button type="button" class="who" popovertarget="who">
        <Stored>{me.subject}</Stored>
        <span class="role">{me.role}</span>
      </button>
      <div id="who" class="menu" popover="auto">
        <dl>
          <dt>{strings.account.role}</dt>
          <dd>{strings.account.may(me.role, me.workspace_name ?? undefined)}</dd>
          <dt>{strings.account.until}</dt>
          <dd title={me.expires_at}>{relative(me.expires_at, now)}</dd>
        </dl>
        <label>
          {strings.account.theme}
          <Select
            value={current.theme}
            options={strings.account.themes}
            onChange={(theme) => setPreferences({ theme })}
          />
        </label>
        <label>
          {strings.account.density}
          <Select
            value={current.density}
            options={strings.account.densities}
            onChange={(density) => setPreferences({ density })}
          />
        </label>
        <label>
          {strings.account.singleKeys}
          <input
            type="checkbox"
            checked={current.singleKeys}
            onChange={(event) => setPreferences({ singleKeys: event.currentTarget.checked })}
          />
        </label>
        <div class="menu-actions">
          <Button kind="quiet" onClick={onHelp}>
            {strings.help.title}
          </Button>
          <Button kind="quiet" onClick={() => void signOutAndReload()}>
            {strings.account.leave}
          </Button>
        </div>
      </div>
    </>
  );
}
