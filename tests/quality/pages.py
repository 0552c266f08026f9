#!/usr/bin/env python3
"""How much of the evidence for a question about recent sessions a working set of 1,500 tokens holds.

    tests/quality/pages.py PROGRAM FOLDER...

A folder has a `corpus.jsonl` and a `queries.jsonl`: conversations in dated sessions, and questions with the items that answer them.
Each item becomes an episode, `speaker: text`, in its session; a conversation is a subject. A question is asked an hour after the session
of its `before`, or without one two sessions after the last session of its evidence. It is about recent sessions if all its evidence is
at most 30 days old then. For each such moment a subject of its own has the sessions until then, moved in time so that they end now.

Four prompts of 1,500 tokens (4 bytes each) are compared: the newest items as they are; the results of a search among the items until then;
the hot pages of the working set; and the working set, hot pages and the warm ones that the question finds. An item counts as held if at
least half of it, in one piece, is in the prompt. The figures are means of the held share of a question's evidence.
"""

import collections
import concurrent.futures
import difflib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
from datetime import datetime, timedelta, timezone

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "load"))
from history import NOW, UNLIMITED, Server, episode, write  # noqa: E402

BUDGET = 1_500
RECENT = timedelta(days=30)
LATER_SESSIONS = 2
HOUR = timedelta(hours=1)
TURN = timedelta(seconds=20)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Conversation:
    """Sessions in the order of time. Items have `at`, a time in their session, and `said`, their text."""

    def __init__(self, name, items):
        self.name, self.sessions, self.items = name, [], {}
        for item in items:
            if not self.sessions or self.sessions[-1][0]["session"] != item["session"]:
                self.sessions.append([])
            session = self.sessions[-1]
            start = datetime.fromisoformat(item["timestamp"]).replace(tzinfo=timezone.utc)
            item["at"] = start + len(session) * TURN
            if session:
                item["at"] = max(item["at"], session[-1]["at"] + TURN)
            elif len(self.sessions) > 1:
                # days without an hour: sessions of one day follow one another
                item["at"] = max(item["at"], self.sessions[-2][-1]["at"] + HOUR)
            item["said"] = f"{item['speaker']}: {item['text']}"
            item["number"] = len(self.sessions) - 1
            session.append(item)
            self.items[item["id"]] = item

    def cut_of(self, question):
        """The last session before a question; none if not all of its evidence is recent then."""
        gold = [self.items[id_] for id_ in question["gold_ids"]]
        if "before" in question:
            cut = max((n for n, session in enumerate(self.sessions) if session[0]["seq"] < question["before"]), default=None)
        else:
            cut = max(item["number"] for item in gold) + LATER_SESSIONS
        if cut is None or cut >= len(self.sessions) or any(item["number"] > cut for item in gold):
            return None
        return cut if all(self.sessions[cut][-1]["at"] - item["at"] <= RECENT for item in gold) else None

    def until(self, cut):
        return [item for session in self.sessions[: cut + 1] for item in session]


def is_held(item, prompt):
    if item["said"] in prompt:
        return True
    match = difflib.SequenceMatcher(None, prompt, item["text"], autojunk=False).find_longest_match()
    return 2 * match.size >= len(item["text"])


def within_budget(texts):
    held, tokens = [], 0
    for text in texts:
        tokens += -(-len(text.encode()) // 4)
        if tokens > BUDGET:
            break
        held.append(text)
    return "\n".join(held)


def histories(conversations, asked):
    """The episodes of all subjects, and their names."""
    rows = []
    for name, cut in sorted({(name, cut) for name, cut, _ in asked}):
        items = conversations[name].until(cut)
        shift = NOW - HOUR - items[-1]["at"]
        for item in items:
            fields = {"actor": item["speaker"], "channel": "chat", "correlation_id": item["session"], "session_id": item["session"], "kind": "chat"}
            rows.append(episode(len(rows), item["at"] + shift, item["text"], **fields, subject=f"{name}@{cut}"))
    return sorted(rows, key=lambda row: row["id"])


def remember(server, conversation):
    """A workspace with the items as memories, at their own times."""
    workspace = server.call("POST", "/workspaces", {"name": conversation.name})["id"]
    array = [
        {"content": item["said"], "scope": "LOCAL", "workspace_id": workspace, "session_id": item["session"], "created_at": f"{item['at']:%Y-%m-%dT%H:%M:%SZ}"}
        for item in conversation.items.values()
    ]
    for start in range(0, len(array), 500):
        outcome = server.call("POST", "/admin/memories/import", array[start : start + 500])
        assert not outcome["errors"], outcome["errors"][:3]
    return workspace


def measure(program, folder):
    items, conversations = collections.defaultdict(list), {}
    for item in lines(folder / "corpus.jsonl"):
        items[item["conv"]].append(item)
    for name, of in items.items():
        conversations[name] = Conversation(name, of)
    questions = lines(folder / "queries.jsonl")
    cuts = [(question["conv"], conversations[question["conv"]].cut_of(question), question) for question in questions]
    asked = [(name, cut, question) for name, cut, question in cuts if cut is not None]
    if not asked:
        raise SystemExit(f"{folder}: no question is about recent sessions")
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "history.jsonl"
        root = write(program, file, histories(conversations, asked))
        env = {"PATH": "/usr/bin:/bin", "HOME": scratch, "ORGMEM_DATA_DIR": f"{scratch}/data"}
        subprocess.run([program, "import", file], env=env, check=True, stdout=subprocess.DEVNULL)
        with Server(program, scratch, UNLIMITED) as server:
            for subject in sorted({f"{name}@{cut}" for name, cut, _ in asked}):
                server.call("POST", f"/workspaces/{root}/pages/compact", {"subject": subject})
            workspaces = {name: remember(server, conversations[name]) for name in conversations}

            def prompts(asked):
                name, cut, question = asked
                items = conversations[name].until(cut)
                context = {"subject": f"{name}@{cut}", "query": question["question"], "token_budget": BUDGET}
                pages = server.call("POST", f"/workspaces/{root}/context", context)["working_set"]
                pages = [entry["page"] for entry in pages]
                query = {"q": question["question"], "limit": 50, "until": f"{items[-1]['at'] + TURN:%Y-%m-%dT%H:%M:%SZ}"}
                found = server.call("GET", f"/workspaces/{workspaces[name]}/memories?{urllib.parse.urlencode(query)}")
                newest = within_budget(item["said"] for item in reversed(items))
                search = within_budget(memory["content"] for memory in found)
                hot = "\n".join(page["content"] for page in pages if page["tier"] == "hot")
                both = "\n".join(page["content"] for page in pages)
                gold = [conversations[name].items[id_] for id_ in question["gold_ids"]]
                shares = [sum(is_held(item, prompt) for item in gold) / len(gold) for prompt in (newest, search, hot, both)]
                return shares, [len(prompt.encode()) / 4 for prompt in (newest, search, hot, both)]

            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                results = list(pool.map(prompts, asked))
    count = len(asked)
    shares = [sum(shares[column] for shares, _ in results) / count for column in range(4)]
    tokens = [sum(tokens[column] for _, tokens in results) / count for column in range(4)]
    cells = [f"{share:.3f} ({size:,.0f})" for share, size in zip(shares, tokens)]
    print(f"| {folder.name} | {count:,} of {len(questions):,} | {' | '.join(cells)} |", flush=True)


def main():
    print("| set | questions | newest items | search | hot pages | working set |")
    print("|---|---|---|---|---|---|")
    for folder in sys.argv[2:]:
        measure(os.path.abspath(sys.argv[1]), pathlib.Path(folder))


if __name__ == "__main__":
    main()
