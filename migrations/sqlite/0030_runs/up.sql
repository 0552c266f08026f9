-- Gated runs: what is committed in one is pending until it ends well.
CREATE TABLE runs (
    org_id         BLOB    NOT NULL,
    id             BLOB    NOT NULL,
    workspace_id   BLOB    NOT NULL,
    status         TEXT    NOT NULL
        CHECK (status IN ('open', 'completed', 'failed', 'cancelled', 'timed_out')),
    session_id     TEXT,
    label          TEXT,
    started_by     TEXT    NOT NULL,
    started_at     INTEGER NOT NULL,
    times_out_at   INTEGER NOT NULL,
    finished_at    INTEGER,
    write_count    INTEGER NOT NULL,
    dropped_count  INTEGER NOT NULL,
    PRIMARY KEY (org_id, id)
) STRICT;

CREATE INDEX runs_by_workspace ON runs (org_id, workspace_id, id);
CREATE INDEX runs_open ON runs (times_out_at) WHERE status = 'open';

-- What open runs hold back. It is no memory: nothing that reads, counts or indexes memories looks here. The draft is
-- JSON; beside it stands what it is found by.
CREATE TABLE held_memories (
    org_id        BLOB    NOT NULL,
    run_id        BLOB    NOT NULL,
    number        INTEGER NOT NULL,
    memory_id     BLOB    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    scope         TEXT    NOT NULL CHECK (scope IN ('LOCAL', 'TEAM', 'GLOBAL')),
    team_id       BLOB    NOT NULL,
    writer_role   TEXT    NOT NULL,
    subject       TEXT,
    draft         TEXT    NOT NULL,
    held_at       INTEGER NOT NULL,
    PRIMARY KEY (org_id, run_id, number)
) STRICT;

CREATE INDEX held_memories_by_memory ON held_memories (org_id, memory_id);
CREATE INDEX held_memories_by_workspace ON held_memories (org_id, workspace_id);
CREATE INDEX held_memories_by_subject ON held_memories (org_id, subject) WHERE subject IS NOT NULL;
