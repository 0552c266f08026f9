import { useEffect, useRef, useState } from "preact/hooks";
import { at, deleteProfile } from "../api/calls.ts";
import { changed, useResource } from "../api/resource.ts";
import type { Me, Profile, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Button } from "../parts/controls.tsx";
import { say } from "../parts/dialog.tsx";
import { Refused, Waiting } from "../parts/states.tsx";
import { goWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { words } from "../words.ts";
import { ContextPreview } from "./context.tsx";
import { ProfileForm } from "./form.tsx";

/** How a workspace remembers: its profiles, and beside them the very block that an agent would get. */
export function Profiles({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const profiles = useResource<Profile[]>(at.profiles(workspace.id));
  const [isDeleting, ask] = useState(false);
  const canManage = may(me, "manage_profiles");
  const wanted = query.get("profile");
  const isNew = wanted === "new" && canManage;
  const shown = profiles.data?.find(({ id }) => id === wanted) ?? profiles.data?.[0];
  const head = useRef<HTMLDivElement>(null);
  // whoever makes or deletes one goes on at the one that is shown then
  const [isToFocus, focusShown] = useState(false);
  useEffect(() => {
    if (!isToFocus || isDeleting || isNew || (wanted !== null && shown?.id !== wanted)) return;
    focusShown(false);
    head.current?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
  });
  if (profiles.failure && !profiles.data) return <Refused failure={profiles.failure} />;
  if (!profiles.data || !shown) return <Waiting rows={6} />;
  const open = (id: string) => goWith({ profile: id });
  const drop = async () => {
    await deleteProfile(workspace.id, shown.id);
    say(words.profiles.deleted(shown.name));
    goWith({ profile: undefined }, { replace: true });
    profilesChanged(workspace.id);
    focusShown(true);
  };
  const saved = ({ id }: Profile) => {
    profilesChanged(workspace.id);
    if (isNew) focusShown(true);
    goWith({ profile: id }, { replace: true });
  };
  const inForce = profiles.data.find((each) => each.is_default)?.isolation ?? "tree";
  return (
    <div class="profiles">
      <div class="profiles-head">
        <div ref={head} class="segments wrap" role="group" aria-label={words.tabs.profiles}>
          {profiles.data.map(({ id, name, is_default }) => (
            <button key={id} type="button" aria-pressed={!isNew && id === shown.id} onClick={() => open(id)}>
              <bdi>{name}</bdi>
              {is_default && name !== words.profiles.isDefault && <span class="default-mark">{words.profiles.isDefault}</span>}
            </button>
          ))}
          {isNew && (
            <button type="button" aria-pressed>
              {words.profiles.new}
            </button>
          )}
        </div>
        {canManage && !isNew && <Button onClick={() => open("new")}>{words.profiles.add}</Button>}
        {canManage && !isNew && !shown.is_default && (
          <Button kind="danger" onClick={() => ask(true)}>
            {words.profiles.delete}
          </Button>
        )}
      </div>
      <div class="profiles-columns">
        <ProfileForm
          key={isNew ? "new" : shown.id}
          workspace={workspace}
          profile={isNew ? undefined : shown}
          canManage={canManage}
          inForce={inForce}
          onSaved={saved}
        />
        <ContextPreview key={isNew ? "new" : shown.id} workspace={workspace} profile={isNew ? undefined : shown} />
      </div>
      {isDeleting && (
        <Confirm
          title={words.profiles.deleteTitle(shown.name)}
          size="narrow"
          label={words.profiles.delete}
          act={drop}
          onClose={() => ask(false)}
        >
          <p>{words.profiles.deleteWhat}</p>
        </Confirm>
      )}
    </div>
  );
}

/** What is shown of the profiles of a workspace, and what they decide, is asked for again. */
export function profilesChanged(workspace: string): void {
  changed((path) => path.startsWith(at.workspace(workspace)));
}
