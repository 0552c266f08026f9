import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint, deleteProfile } from "../api/calls.ts";
import { api } from "../api/http.ts";
import { invalidate, useResource } from "../api/resource.ts";
import type { Me, Profile, Workspace } from "../api/types.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Button } from "../parts/controls.tsx";
import { showToast } from "../parts/dialog.tsx";
import { ErrorNotice, Skeleton } from "../parts/states.tsx";
import { Stored } from "../parts/stored.tsx";
import { goWith, useRoute } from "../route.ts";
import { may } from "../session.ts";
import { strings } from "../strings.ts";
import { ContextPreview } from "./context.tsx";
import { ProfileForm } from "./form.tsx";

/** The profiles of a workspace, and a preview of the context block. */
export function Profiles({ me, workspace }: { me: Me; workspace: Workspace }) {
  const { query } = useRoute();
  const profiles = useResource<Profile[]>(endpoint.profiles(workspace.id));
  const [isDeleting, ask] = useState(false);
  const canManage = may(me, "manage_profiles");
  const wanted = query.get("profile");
  const isNew = wanted === "new" && canManage;
  const shown = profiles.data?.find(({ id }) => id === wanted) ?? profiles.data?.[0];
  const head = useRef<HTMLDivElement>(null);
  // after a profile is created or deleted, the focus moves to the selected one
  const [isToFocus, focusShown] = useState(false);
  useEffect(() => {
    if (!isToFocus || isDeleting || isNew || (wanted !== null && shown?.id !== wanted)) return;
    focusShown(false);
    head.current?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
  });
  if (profiles.failure && !profiles.data) return <ErrorNotice failure={profiles.failure} />;
  if (!profiles.data || !shown) return <Skeleton rows={6} />;
  const open = (id: string) => goWith({ profile: id });
  const find = async () => {
    const { data } = await api<Profile[]>(endpoint.profiles(workspace.id));
    return data.every(({ id }) => id !== shown.id) || undefined;
  };
  const onDeleted = () => {
    showToast(strings.profiles.deleted(shown.name));
    goWith({ profile: undefined }, { replace: true });
    invalidateProfiles(workspace.id);
    focusShown(true);
  };
  const saved = ({ id }: Profile) => {
    invalidateProfiles(workspace.id);
    if (isNew) focusShown(true);
    goWith({ profile: id }, { replace: true, isSaved: true });
  };
  const inForce = profiles.data.find((each) => each.is_default)?.isolation ?? "tree";
  return (
    <div class="profiles">
      <div class="profiles-head">
        <div ref={head} class="segments wrap" role="group" aria-label={strings.tabs.profiles}>
          {profiles.data.map(({ id, name, is_default }) => (
            <button key={id} type="button" aria-pressed={!isNew && id === shown.id} onClick={() => open(id)}>
              <Stored>{name}</Stored>
              {is_default && name !== strings.profiles.isDefault && <span class="default-mark">{strings.profiles.isDefault}</span>}
            </button>
          ))}
          {isNew && (
            <button type="button" aria-pressed>
              {strings.profiles.new}
            </button>
          )}
        </div>
        {canManage && !isNew && <Button onClick={() => open("new")}>{strings.profiles.add}</Button>}
        {canManage && !isNew && !shown.is_default && (
          <Button kind="danger" onClick={() => ask(true)}>
            {strings.profiles.delete}
          </Button>
        )}
      </div>
      {wanted !== null && !isNew && shown.id !== wanted && <p class="notice">{strings.profiles.absent(shown.name)}</p>}
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
          title={strings.profiles.deleteTitle(shown.name)}
          size="narrow"
          label={strings.profiles.delete}
          act={async () => (await deleteProfile(workspace.id, shown.id)) && true}
          find={find}
          onDone={onDeleted}
          onClose={() => ask(false)}
        >
          <p>{strings.profiles.deleteText}</p>
        </Confirm>
      )}
    </div>
  );
}

/** Reloads the profiles of a workspace and everything that they decide. */
export function invalidateProfiles(workspace: string): void {
  invalidate((path) => path.startsWith(endpoint.workspace(workspace)));
}
