"""Exports of an org whose root workspace has episodes of the past, a million in one file. `orgmem import` reads them."""

import hashlib
import json
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "operations"))
from live import Server  # noqa: E402

NOW = datetime.now(timezone.utc)
# settings of a server that measurements flood
UNLIMITED = {"ORGMEM_LIMITS_CALLER_REQUESTS_PER_MINUTE": "0", "ORGMEM_LIMITS_ORG_REQUESTS_PER_MINUTE": "0"}
# in the order of an export
COLUMNS = (
    *("id", "activity_type", "summary", "actor", "channel", "correlation_id", "session_id", "kind", "outcome", "created_at"),
    *("folded", "subject"),
)


def ago(**since):
    """A time before this run: `ago(days=3)`."""
    return NOW - timedelta(**since)


def episode(number, at, text, **fields):
    """A row of `episodes`. `number` is unique in its history; `fields` are columns such as `subject` and `session_id`."""
    milliseconds = int(at.timestamp() * 1000)
    id_ = f"{milliseconds:012x}7{number >> 20 & 0xFFF:03x}8{number & 0xFFFFF:015x}"
    folded = "\n".join(["agent_log", text, *map(str, fields.values())]).lower()
    id_ = "-".join((id_[:8], id_[8:12], id_[12:16], id_[16:20], id_[20:]))
    created_at = f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"
    row = {"id": id_, "activity_type": "agent_log", "summary": text, "created_at": created_at, "folded": folded, **fields}
    return {column: row[column] for column in COLUMNS if column in row}


def write(program, path, episodes):
    """Writes an export with one org and these episodes, which is the order of their ids. Returns the id of the workspace."""
    with tempfile.TemporaryDirectory() as scratch:
        with Server(program, scratch, {}) as server:
            root = server.call("POST", "/workspaces", {"name": "Acme"})["id"]
        empty = Path(scratch) / "empty.jsonl"
        env = {"PATH": "/usr/bin:/bin", "HOME": scratch, "ORGMEM_DATA_DIR": f"{scratch}/data"}
        subprocess.run([program, "export", empty, "--org", root], env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        header, *lines = (json.loads(line) for line in empty.read_text(encoding="utf-8").splitlines())
    rows = [line for line in lines if not {"end", "trailer"} & line.keys()]
    before = [row for row in rows if {"orgs", "workspaces"} & row.keys()]
    after = rows[len(before) :]
    body = path.with_suffix(".rows")
    org, count, written = hashlib.sha256(), 0, 0
    with body.open("wb") as file:

        def put(row):
            nonlocal count
            line = json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
            org.update(line)
            file.write(line)
            count += 1

        for row in before:
            put(row)
        for row in episodes:
            put({"episodes": {"workspace_id": root, **row}})
            written += 1
        for row in after:
            put(row)
    header["counts"]["episodes"] = written
    whole = hashlib.sha256()
    with path.open("wb") as file, body.open("rb") as content:

        def copy(line):
            whole.update(line)
            file.write(line)

        def line_of(value):
            return json.dumps(value, separators=(",", ":")).encode() + b"\n"

        copy(line_of(header))
        for line in content:
            copy(line)
        copy(line_of({"end": {"org": root, "rows": count, "sha256": org.hexdigest()}}))
        file.write(line_of({"trailer": {"rows": count, "sha256": whole.hexdigest()}}))
    body.unlink()
    return root
