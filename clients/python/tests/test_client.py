"""Each group of calls against a server, with both clients."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from conftest import Connect
from support import Server

import orgmem
from orgmem import Client


def test_commit_is_found_and_edited_and_forgotten(agent: Client) -> None:
    committed = agent.commit_memory("staging deploys happen on Tuesdays", scope="TEAM", tags=["deploy"])
    found = agent.search_memories("when do we deploy?")
    assert [memory["id"] for memory in found] == [committed["id"]]
    assert agent.count_memories("deploy", tag="deploy") == {"count": 1}
    edited = agent.edit_memory(committed["id"], content="staging deploys happen on Mondays", if_match=1)
    assert edited["version"] == 2
    assert [version["version"] for version in agent.list_versions(committed["id"])] == [2, 1]
    assert agent.restore_memory(committed["id"], 1)["version"] == 3
    assert agent.explain_memory(committed["id"], "deploys")["cause"] == "found"
    assert agent.read_memory(committed["id"])["content"] == "staging deploys happen on Tuesdays"
    assert agent.forget_memory(committed["id"]) == {"status": "deleted"}
    with pytest.raises(orgmem.NotFound):
        agent.read_memory(committed["id"])


def test_none_clears_a_field_of_an_edit(agent: Client) -> None:
    committed = agent.commit_memory("a fact", scope="LOCAL", metadata={"a": 1})
    agent.edit_memory(committed["id"], metadata=None)
    assert "metadata" not in agent.read_memory(committed["id"])


def test_batch_refuses_items_one_by_one(agent: Client) -> None:
    response = agent.commit_batch([{"content": "good", "scope": "LOCAL"}, {"content": " ", "scope": "LOCAL"}])
    assert (response["committed"], response["refused"]) == (1, 1)
    assert response["items"][1]["refused"]["code"] == "invalid_field"


def test_iterators_read_all_pages_in_order(agent: Client) -> None:
    agent.commit_batch([{"content": f"fact {number}", "scope": "LOCAL"} for number in range(7)])
    first = agent.search_memories(limit=3)
    assert len(first) == 3
    assert first.cursor
    assert [memory["content"] for memory in agent.iter_memories(limit=3)] == [f"fact {n}" for n in reversed(range(7))]


def test_values_of_metadata_are_listed_and_a_touched_memory_keeps_its_version(agent: Client) -> None:
    tiers = [2, 1, 2]
    response = agent.commit_batch(
        [{"content": f"fact {n}", "scope": "LOCAL", "metadata": {"tier": n}, "ttl_seconds": 60} for n in tiers]
    )
    ids = [item["committed"]["id"] for item in response["items"]]
    values = list(agent.iter_metadata_values(member="tier", limit=1))
    assert values == [{"value": 1, "count": 1}, {"value": 2, "count": 2}]
    touched = agent.touch_memories(
        [{"id": ids[0], "ttl_seconds": 3600}, {"id": ids[1], "ttl_seconds": 3600, "version": 7}]
    )
    assert [memory["id"] for memory in touched["memories"]] == [ids[0]]
    memory: Any = agent.read_memory(ids[0])
    assert (memory["version"], memory["expires_at"]) == (1, touched["memories"][0]["expires_at"])


def test_redaction_leaves_a_tombstone(agent: Client, admin: Client) -> None:
    committed = agent.commit_memory("a person's address", scope="LOCAL")
    operator = admin.at(agent.workspace_id())
    assert operator.preview_redact_memory(committed["id"], "privacy")["dry_run"]
    operator.redact_memory(committed["id"], "privacy")
    assert agent.read_memory(committed["id"])["content"] == "[redacted]"
    assert [entry["reason"] for entry in operator.iter_redactions()] == ["privacy"]


@pytest.mark.parametrize("key", ["plain", "a/b c", "..", ".", "ü?#&%2F", "x" * 256])
def test_entry_of_any_key_is_read_back_and_dropped(agent: Client, key: str) -> None:
    value = {"nested": [1, None, "ü"]}
    assert agent.put_entry(key, value)["version"] == 1
    assert agent.read_entry(key)["value"] == value
    assert [entry["key"] for entry in agent.iter_entries(limit=1)] == [key]
    assert agent.drop_entry(key) == {"status": "deleted"}
    with pytest.raises(orgmem.NotFound):
        agent.read_entry(key)


def test_conditional_write_on_another_version_names_both(agent: Client) -> None:
    agent.put_entry("step", 1, if_match_version=0)
    with pytest.raises(orgmem.VersionConflict) as caught:
        agent.put_entry("step", 2, if_match_version=7)
    assert (caught.value.expected_version, caught.value.current_version) == (7, 1)
    with pytest.raises(orgmem.VersionConflict) as caught:
        agent.put_entry("absent", 1, if_match_version=1)
    assert caught.value.current_version is None


def test_session_search_finds_episodes_and_memories(agent: Client) -> None:
    agent.append_episode("tool_call", summary="searched the invoices", duration_ms=3, session_id="s1")
    agent.commit_memory("invoices are monthly", scope="LOCAL", session_id="s1")
    assert [episode["summary"] for episode in agent.iter_episodes(type="tool_call")] == ["searched the invoices"]
    assert {hit["kind"] for hit in agent.search_session("invoices")} == {"activity", "memory"}


def test_turn_is_stored_as_episodes(agent: Client) -> None:
    messages: list[orgmem.types.TurnMessage] = [
        {"role": "user", "content": "Deliver to Dock 9."},
        {"role": "assistant", "content": "Noted."},
    ]
    turn = agent.add_turn(messages, session_id="s1", subject="ada")
    assert (turn["state"], len(turn["episodes"])) == ("stored", 2)
    assert agent.read_turn(turn["id"])["episodes"] == turn["episodes"]
    said = [(episode["id"], episode["summary"]) for episode in agent.iter_episodes(type="message")]
    assert said[::-1] == list(zip(turn["episodes"], ("Deliver to Dock 9.", "Noted."), strict=True))
    with pytest.raises(orgmem.BadRequest) as caught:
        agent.add_turn(messages)
    assert caught.value.field == "session_id"
    with pytest.raises(orgmem.NotFound):
        agent.read_turn("11111111-2222-4333-8444-555555555555")


def test_memories_of_a_run_appear_when_it_completes(agent: Client) -> None:
    run_id = agent.start_run(label="nightly")["run_id"]
    in_run = agent.with_options(run_id=run_id)
    assert in_run.commit_memory("pending fact", scope="LOCAL")["pending"]
    agent.stage_output(run_id, {"__lf_memory_writes": [{"content": "staged fact"}]})
    assert not agent.search_memories()
    assert [memory["content"] for memory in agent.iter_pending(run_id, limit=1)] == ["pending fact", "staged fact"]
    assert agent.finish_run(run_id, "completed")["status"] == "completed"
    assert len(agent.search_memories(run_id=run_id)) == 2
    assert [run["run_id"] for run in agent.iter_runs(status="completed")] == [run_id]


def test_memory_tool_answers_with_text(agent: Client) -> None:
    created = agent.run_memory_tool({"command": "create", "path": "/memories/plan.md", "file_text": "one"})
    assert created == {"content": "File created successfully at: /memories/plan.md", "is_error": False}
    shown = agent.run_memory_tool({"command": "view", "path": "/memories/plan.md"})
    assert shown["content"] == "Here's the content of /memories/plan.md with line numbers:\n     1\tone"


def test_profile_and_context(agent: Client, admin: Client) -> None:
    agent.commit_memory("backups run at night", scope="LOCAL", confidence=0.9)
    context = agent.inject_context("when do backups run?")
    assert context["block"].startswith("## Context Memory")
    operator = admin.at(agent.workspace_id())
    assert operator.preview_create_profile("short", is_default=True, isolation="team")["loses"]["global"] == 0
    profile = operator.create_profile("short", injection={"limit": 1})
    assert operator.change_profile(profile["id"], retention={"max_entries": 10})["retention"] == {"max_entries": 10}
    assert [one["name"] for one in agent.list_profiles()] == ["default", "short"]
    assert agent.summarize_profile(profile["id"])["count"] == 0
    operator.delete_profile(profile["id"])


def test_tree_moves_and_reach(admin: Client) -> None:
    root = admin.create_workspace("Acme")
    dev, ops = (admin.create_workspace(name, parent_id=root["id"])["id"] for name in ("Dev", "Ops"))
    bot = admin.create_workspace("Bot", parent_id=dev, metadata={"tier": 2})["id"]
    assert admin.at(bot).read_relation(dev)["relation"] == "parent"
    assert admin.at(bot).preview_patch_workspace(parent_id=ops)["moved"] == 1
    assert admin.at(bot).patch_workspace(parent_id=ops)["path"][-1]["id"] == ops
    reach = admin.at(bot).read_reach(direction="reads", scope="TEAM", among=[bot, ops])
    assert {row["workspace_id"] for row in reach["reads"]} == {bot, ops}
    assert [child["name"] for child in admin.at(root["id"]).read_tree(depth=1)["children"]] == ["Dev", "Ops"]
    assert {one["name"] for one in admin.iter_workspaces(root=root["id"], limit=1)} == {"Acme", "Dev", "Ops", "Bot"}
    admin.at(bot).commit_memory("the quetzal is green", scope="LOCAL")
    [matches] = admin.search_orgs("quetzal")
    assert (matches["org_id"], [memory["workspace_id"] for memory in matches["memories"]]) == (root["id"], [bot])
    with pytest.raises(orgmem.Conflict) as caught:
        admin.at(ops).remove_workspace()
    assert (caught.value.code, caught.value.status) == ("confirmation_required", 409)
    assert admin.at(ops).remove_workspace(children="cascade")["cascade_deleted"] == 1
    with pytest.raises(orgmem.Gone):
        admin.at(bot).read_workspace()


def test_import_is_idempotent(admin: Client) -> None:
    document: Any = {
        "name": f"Globex {uuid.uuid4()}",
        "children": [{"name": "Ops", "initial_memories": [{"content": "x", "scope": "TEAM"}]}],
    }
    assert admin.preview_import_org(document)["dry_run"]
    imported = [admin.import_org(document) for _ in range(2)]
    assert [(one["workspaces_created"], one["memories_committed"]) for one in imported] == [(2, 1), (0, 0)]


def test_revoked_token_is_unauthenticated(connect: Connect, admin: Client, server: Server) -> None:
    workspace = admin.at(admin.create_workspace("Short-lived")["id"])
    issued = workspace.issue_token("agent", expires_in=60, subject="tests", end_user="ada", session_id="s1")
    agent = connect(server.url, issued["token"])
    assert agent.read_me()["workspace_id"] == agent.workspace_id()
    [listed] = workspace.iter_tokens()
    assert (listed["jti"], listed["end_user"], listed["session_id"]) == (issued["jti"], "ada", "s1")
    admin.revoke_token(issued["jti"])
    with pytest.raises(orgmem.Unauthenticated) as caught:
        agent.search_memories()
    assert caught.value.code == "token_invalid"


def test_audit_log_has_the_context_of_the_caller(agent: Client, admin: Client) -> None:
    agent.with_options(audit_context={"ticket": "A-1"}).commit_memory("a fact", scope="LOCAL")
    rows = list(agent.iter_access_log(action="commit_memory", limit=1))
    assert (rows[0].get("context") or {})["caller"] == {"ticket": "A-1"}
    assert admin.at(agent.workspace_id()).verify_access_log()["intact"]


def test_refusals_have_code_detail_field_and_request_id(agent: Client) -> None:
    with pytest.raises(orgmem.BadRequest) as caught:
        agent.commit_memory("x", scope="EVERYONE")  # type: ignore[arg-type]
    refusal = caught.value
    assert (refusal.status, refusal.code, refusal.field) == (400, "invalid_field", "scope")
    assert refusal.request_id
    assert refusal.detail in str(refusal)
    with pytest.raises(orgmem.NotFound):
        agent.at("11111111-2222-4333-8444-555555555555").read_workspace()


def test_caller_without_a_workspace_must_name_one(admin: Client) -> None:
    with pytest.raises(orgmem.OrgmemError, match="not bound to a workspace"):
        admin.search_memories()


def test_same_idempotency_key_commits_once(agent: Client) -> None:
    keyed = agent.with_options(idempotency_key="job-7")
    first, second = (keyed.commit_memory("once", scope="LOCAL") for _ in range(2))
    assert first["id"] == second["id"]
    assert agent.count_memories() == {"count": 1}
    with pytest.raises(orgmem.BadRequest) as caught:
        keyed.commit_memory("something else", scope="LOCAL")
    assert caught.value.code == "idempotency_mismatch"


def test_server_names_itself(agent: Client) -> None:
    assert agent.read_version()["name"] == "orgmem"
    own = agent.workspace_id()
    assert agent.check_access(own, own) == {"allowed": True}
