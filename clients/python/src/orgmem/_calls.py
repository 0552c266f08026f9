"""Every operation of the client as a function from its arguments to a `Call`, in the order of the specification.

A function has the operation's id in /openapi.json as its name; `preview_X` is the dry run of `X`. Fields that a
function does not name itself are those of the request's type in `orgmem.types`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import types as t
from ._call import Call, Page, get, pages, part, write

if TYPE_CHECKING:
    from typing_extensions import Unpack

_DRY_RUN = {"dry_run": True}


# server and callers


def read_version() -> Call[t.Version]:
    """The name and version of the server."""
    return get("/version", server=True)


def read_me() -> Call[t.Me]:
    """Who the token is, and what it may do."""
    return get("/me", server=True)


def check_access(caller_id: str, target_id: str) -> Call[t.CheckAccessResponse]:
    """Whether a workspace may address another one of its tree."""
    return write("POST", "/registry/check-access", {"caller_id": caller_id, "target_id": target_id}, server=True)


def issue_token(
    role: t.Role,
    *,
    expires_in: int | None = None,
    subject: str | None = None,
    end_user: str | None = None,
    session_id: str | None = None,
) -> Call[t.IssuedToken]:
    """Issues a token for the workspace. Only this response contains it. `end_user` and `session_id` bind an agent's."""
    bound = {"end_user": end_user, "session_id": session_id}
    return write("POST", "tokens", {"role": role, "expires_in": expires_in, "subject": subject, **bound})


def list_tokens(*, limit: int | None = None) -> Call[Page[t.TokenInfo]]:
    """The unexpired tokens of the workspace, without the tokens themselves."""
    return pages("tokens", {"limit": limit})


def revoke_token(jti: str) -> Call[t.RevokedToken]:
    """Revokes one token, on every server."""
    return write("DELETE", f"/tokens/{part(jti)}", server=True)


def revoke_tokens() -> Call[t.Deleted]:
    """Revokes every token of the workspace that was issued until now."""
    return write("DELETE", "tokens")


def preview_revoke_tokens() -> Call[t.RevocationPreview]:
    """The tokens and streams that `revoke_tokens` would end."""
    return write("DELETE", "tokens", params=_DRY_RUN)


# workspaces and the tree


def create_workspace(name: str, **fields: Unpack[t.CreateWorkspaceFields]) -> Call[t.Workspace]:
    """Creates a workspace below `parent_id`, or a new root."""
    return write("POST", "/workspaces", {"name": name, **fields}, server=True)


def list_workspaces(q: str | None = None, **filters: Unpack[t.ListWorkspacesQuery]) -> Call[Page[t.Workspace]]:
    """The workspaces that the caller may see; `q` is a part of their name."""
    return pages("/workspaces", {"q": q, **filters}, server=True)


def search_orgs(
    q: str | None = None, *, limit: int | None = None, cursor: str | None = None
) -> Call[Page[t.OrgMatches]]:
    """The memories of all workspaces that the caller may read, by org; `limit` for each org."""
    return pages("/search", {"q": q, "limit": limit, "cursor": cursor}, server=True)


def import_org(document: t.ImportNode, *, ungated: bool = False) -> Call[t.ImportResponse]:
    """Imports a tree with its memories, all or nothing. A repetition adds nothing twice."""
    return write("POST", "/orgs/import", document, server=True, params={"ungated": ungated or None})


def preview_import_org(document: t.ImportNode, *, ungated: bool = False) -> Call[t.ImportResponse]:
    """What `import_org` would add."""
    return write("POST", "/orgs/import", document, server=True, params={"ungated": ungated or None, **_DRY_RUN})


def read_workspace() -> Call[t.Workspace]:
    """The workspace."""
    return get("")


def patch_workspace(**fields: Unpack[t.PatchWorkspace]) -> Call[t.Workspace]:
    """Renames or moves the workspace, or changes its role or metadata."""
    return write("PATCH", "", fields)


def preview_patch_workspace(**fields: Unpack[t.PatchWorkspace]) -> Call[t.TreePreview]:
    """The memories that each workspace would gain and lose by `patch_workspace`."""
    return write("PATCH", "", fields, params=_DRY_RUN)


def remove_workspace(*, children: t.ChildrenRemoval | None = None, purge: bool = False) -> Call[t.WorkspaceRemoval]:
    """Removes the workspace. `purge` also erases its content."""
    return write("DELETE", "", params={"children": children, "purge": purge or None})


def preview_remove_workspace(*, children: t.ChildrenRemoval | None = None, purge: bool = False) -> Call[t.TreePreview]:
    """The memories that each workspace would lose by `remove_workspace`."""
    return write("DELETE", "", params={"children": children, "purge": purge or None, **_DRY_RUN})


def read_tree(*, depth: int | None = None) -> Call[t.TreeNode]:
    """The subtree of the workspace, nested."""
    return get("tree", {"depth": depth})


def read_reach(
    *,
    direction: t.ReachDirection | None = None,
    scope: t.Scope | None = None,
    via: t.Via | None = None,
    among: Sequence[str] | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> Call[t.ReachResponse]:
    """Whom the workspace can read and who can read it, each with the reason. `next` is the cursor of the next page."""
    ids = None if among is None else ",".join(among)
    return get(
        "reach", {"direction": direction, "scope": scope, "via": via, "among": ids, "limit": limit, "cursor": cursor}
    )


def read_relation(other: str) -> Call[t.RelationResponse]:
    """The relation of the workspace and another one, in both directions."""
    return get(f"reach/{part(other)}")


# memories


def commit_memory(content: str, **fields: Unpack[t.CommitMemoryFields]) -> Call[t.CommittedMemory]:
    """Commits one memory. The next search finds it, unless it is pending in a run."""
    return write("POST", "memories", {"content": content, **fields})


def commit_batch(memories: Sequence[t.CommitMemory]) -> Call[t.BatchResponse]:
    """Commits up to 500 memories, each for itself: the response has one item per memory, in their order."""
    return write("POST", "memories/batch", {"memories": list(memories)})


def search_memories(q: str | None = None, **filters: Unpack[t.SearchMemoriesQuery]) -> Call[Page[t.Memory]]:
    """The memories that the workspace can read: the best matches of `q` first, or without it the newest."""
    return pages("memories", {"q": q, **filters})


def count_memories(q: str | None = None, **filters: Unpack[t.CountMemoriesQuery]) -> Call[t.MemoryCount]:
    """The number of results of `search_memories`."""
    return get("memories/count", {"q": q, **filters})


def list_metadata_values(**query: Unpack[t.ListMetadataValuesQuery]) -> Call[Page[t.MetadataValue]]:
    """The distinct values of a `member` of the metadata of readable memories, in order, with the number of memories."""
    return pages("memories/values", query)


def touch_memories(memories: Sequence[t.TouchMemory]) -> Call[t.TouchedMemories]:
    """Sets the end of life of up to 500 own memories without a new version; omits those that it cannot change."""
    return write("POST", "memories/touch", {"memories": list(memories)})


def read_memory(memory_id: str) -> Call[t.ReadMemory]:
    """One memory, or the tombstone of a redacted one."""
    return get(f"memories/{part(memory_id)}")


def edit_memory(
    memory_id: str, *, if_match: int | None = None, **fields: Unpack[t.PatchMemory]
) -> Call[t.CommittedMemory]:
    """Changes fields of an own memory; `None` clears a field. A change makes a new version."""
    return write("PATCH", f"memories/{part(memory_id)}", fields, if_match=if_match)


def forget_memory(memory_id: str, *, if_match: int | None = None) -> Call[t.Deleted]:
    """Deletes one memory with its earlier versions."""
    return write("DELETE", f"memories/{part(memory_id)}", if_match=if_match)


def list_versions(memory_id: str, *, limit: int | None = None) -> Call[Page[t.MemoryVersion]]:
    """The versions of one memory, the current one first."""
    return pages(f"memories/{part(memory_id)}/history", {"limit": limit})


def restore_memory(memory_id: str, version: int, *, if_match: int | None = None) -> Call[t.RestoredMemory]:
    """Makes an earlier version the newest, as a new version."""
    return write("POST", f"memories/{part(memory_id)}/restore", {"version": version}, if_match=if_match)


def redact_memory(memory_id: str, reason: str) -> Call[t.RedactedMemory]:
    """Removes the content of one memory for good."""
    return write("POST", f"memories/{part(memory_id)}/redact", {"reason": reason})


def preview_redact_memory(memory_id: str, reason: str) -> Call[t.RedactedMemory]:
    """What `redact_memory` would remove, and who has read it."""
    return write("POST", f"memories/{part(memory_id)}/redact", {"reason": reason}, params=_DRY_RUN)


def redact_memories(memory_ids: Sequence[str], reason: str) -> Call[t.RedactionResponse]:
    """Removes the content of up to 500 memories, each for itself."""
    return write("POST", "memories/redact", {"memories": list(memory_ids), "reason": reason})


def preview_redact_memories(memory_ids: Sequence[str], reason: str) -> Call[t.RedactionResponse]:
    """What `redact_memories` would remove."""
    return write("POST", "memories/redact", {"memories": list(memory_ids), "reason": reason}, params=_DRY_RUN)


def list_redactions(*, limit: int | None = None) -> Call[Page[t.RedactionEntry]]:
    """The redactions in the subtree of the workspace, newest first."""
    return pages("memories/redactions", {"limit": limit})


def explain_memory(memory_id: str, q: str | None = None, *, collapse: bool = False) -> Call[t.RecallExplanation]:
    """Why the workspace finds this memory with the query `q`, or does not."""
    return get(f"memories/{part(memory_id)}/why", {"q": q, "collapse": collapse or None})


# key/value entries


def put_entry(key: str, value: Any, **fields: Unpack[t.PutEntryFields]) -> Call[t.PutEntryResponse]:
    """Sets a key. `if_match_version` is the version that must be current; 0 means that the key must not exist."""
    return write("POST", "memory", {"key": key, "value": value, **fields})


def read_entry(key: str) -> Call[t.Entry]:
    """One entry; `NotFound` when it is absent or expired."""
    return get(f"memory/{part(key)}")


def list_entries(*, prefix: str | None = None, limit: int | None = None) -> Call[Page[t.Entry]]:
    """The live entries whose key begins with `prefix`, by key."""
    return pages("memory", {"prefix": prefix, "limit": limit})


def drop_entry(key: str, *, if_match: int | None = None) -> Call[t.Deleted]:
    """Deletes a key, whether it exists or not."""
    return write("DELETE", f"memory/{part(key)}", if_match=if_match)


# activity


def append_episode(activity_type: str, **fields: Unpack[t.AppendEpisodeFields]) -> Call[t.LoggedEpisode]:
    """Appends one episode to the activity log."""
    return write("POST", "activity", {"activity_type": activity_type, **fields})


def list_episodes(**filters: Unpack[t.ListEpisodesQuery]) -> Call[Page[t.Episode]]:
    """The episodes of the workspace, newest first."""
    return pages("activity", filters)


def redact_episode(episode_id: str, reason: str) -> Call[t.RedactedEpisode]:
    """Removes the content of one episode for good."""
    return write("POST", f"activity/{part(episode_id)}/redact", {"reason": reason})


def add_turn(messages: Sequence[t.TurnMessage], **fields: Unpack[t.AddTurnFields]) -> Call[t.Turn]:
    """Stores the messages of one turn of a conversation. A language model may extract its facts later."""
    return write("POST", "turns", {"messages": list(messages), **fields})


def read_turn(turn_id: str) -> Call[t.Turn]:
    """What became of a turn: its state, its episodes and the memories with its facts."""
    return get(f"turns/{part(turn_id)}")


def search_session(q: str | None = None, **filters: Unpack[t.SearchSessionQuery]) -> Call[Page[t.SessionHit]]:
    """Recent episodes and own memories in one list."""
    return pages("session-search", {"q": q, **filters})


# runs


def start_run(*, session_id: str | None = None, label: str | None = None) -> Call[t.Run]:
    """Starts a run. Memories with its `run_id` stay pending until it completes."""
    return write("POST", "runs", {"session_id": session_id, "label": label})


def list_runs(**filters: Unpack[t.ListRunsQuery]) -> Call[Page[t.Run]]:
    """The runs of the workspace, newest first."""
    return pages("runs", filters)


def read_run(run_id: str, *, limit: int | None = None, cursor: str | None = None) -> Call[t.RunDetail]:
    """A run with the first page of its pending memories."""
    return get(f"runs/{part(run_id)}", {"limit": limit, "cursor": cursor})


def list_pending(run_id: str, *, limit: int | None = None) -> Call[Page[t.PendingMemory]]:
    """The pending memories of a run, in the order of writing: the pages of `read_run`."""
    return pages(f"runs/{part(run_id)}", {"limit": limit}, member="pending")


def stage_output(run_id: str, output: Mapping[str, Any]) -> Call[t.StagedOutput]:
    """Stages every item of the `__lf_memory_writes` lists in the output of a node."""
    return write("POST", f"runs/{part(run_id)}/outputs", dict(output))


def finish_run(run_id: str, status: t.RunEnding) -> Call[t.Run]:
    """Ends a run: `completed` commits its pending memories, the others drop them."""
    return write("POST", f"runs/{part(run_id)}/finish", {"status": status})


# profiles and context


def list_profiles() -> Call[list[t.Profile]]:
    """The profiles of the workspace, the default one first."""
    return get("profiles")


def create_profile(name: str, **fields: Unpack[t.CreateProfileFields]) -> Call[t.Profile]:
    """Creates a profile."""
    return write("POST", "profiles", {"name": name, **fields})


def preview_create_profile(name: str, **fields: Unpack[t.CreateProfileFields]) -> Call[t.ProfilePreview]:
    """The memories that `create_profile` would expire, and those that the workspace would gain and lose."""
    return write("POST", "profiles", {"name": name, **fields}, params=_DRY_RUN)


def read_profile(profile_id: str) -> Call[t.Profile]:
    """One profile."""
    return get(f"profiles/{part(profile_id)}")


def change_profile(profile_id: str, **fields: Unpack[t.PatchProfile]) -> Call[t.Profile]:
    """Changes a profile; `None` removes a limit."""
    return write("PATCH", f"profiles/{part(profile_id)}", fields)


def preview_change_profile(profile_id: str, **fields: Unpack[t.PatchProfile]) -> Call[t.ProfilePreview]:
    """The memories that `change_profile` would expire, and those that the workspace would gain and lose."""
    return write("PATCH", f"profiles/{part(profile_id)}", fields, params=_DRY_RUN)


def delete_profile(profile_id: str) -> Call[t.Deleted]:
    """Deletes a profile other than the default one."""
    return write("DELETE", f"profiles/{part(profile_id)}")


def summarize_profile(profile_id: str) -> Call[t.ProfileSummary]:
    """A summary of the memories of a profile."""
    return get(f"profiles/{part(profile_id)}/summary")


def run_memory_tool(command: t.MemoryToolCommand) -> Call[t.MemoryToolResult]:
    """Executes a command of the file-based memory tool, as the model sent it."""
    return write("POST", "memory-tool", dict(command))


def inject_context(
    query: str | None = None, *, session_id: str | None = None, profile_id: str | None = None
) -> Call[t.Context]:
    """The block that an agent puts before its prompt, and its memories."""
    return write("POST", "context", {"query": query, "session_id": session_id, "profile_id": profile_id})


# audit log


def read_access_log(**filters: Unpack[t.ReadAccessLogQuery]) -> Call[Page[t.AuditRow]]:
    """The audit log of the workspace, newest first."""
    return pages("access-log", filters)


def read_memory_access_log(
    memory_id: str, *, callers: t.Callers | None = None, limit: int | None = None
) -> Call[Page[t.AuditRow]]:
    """Who wrote and read one memory."""
    return pages(f"memories/{part(memory_id)}/access-log", {"callers": callers, "limit": limit})


def verify_access_log(*, cursor: str | None = None) -> Call[t.AuditVerification]:
    """Whether the hash chain of the audit log is intact; `next` is the cursor to go on."""
    return get("access-log/verify", {"cursor": cursor})
