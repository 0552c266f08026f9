-- Gated runs: what is committed in one is pending until it ends well.
CREATE TABLE runs (
    org_id         UUID        NOT NULL,
    id             UUID        NOT NULL,
    workspace_id   UUID        NOT NULL,
    status         TEXT        NOT NULL COLLATE "C"
        CHECK (status IN ('open', 'completed', 'failed', 'cancelled', 'timed_out')),
    session_id     TEXT        COLLATE "C",
    label          TEXT        COLLATE "C",
    started_by     TEXT        NOT NULL COLLATE "C",
    started_at     TIMESTAMPTZ NOT NULL,
    times_out_at   TIMESTAMPTZ NOT NULL,
    finished_at    TIMESTAMPTZ,
    write_count    BIGINT      NOT NULL,
    dropped_count  BIGINT      NOT NULL,
    PRIMARY KEY (org_id, id)
);

CREATE INDEX runs_by_workspace ON runs (org_id, workspace_id, id);
CREATE INDEX runs_open ON runs (times_out_at) WHERE status = 'open';

-- What open runs hold back. It is no memory: nothing that reads, counts or indexes memories looks here. The draft is
-- JSON; beside it stands what it is found by.
CREATE TABLE held_memories (
    org_id        UUID        NOT NULL,
    run_id        UUID        NOT NULL,
    number        BIGINT      NOT NULL,
    memory_id     UUID        NOT NULL,
    workspace_id  UUID        NOT NULL,
    scope         TEXT        NOT NULL COLLATE "C" CHECK (scope IN ('LOCAL', 'TEAM', 'GLOBAL')),
    team_id       UUID        NOT NULL,
    writer_role   TEXT        NOT NULL COLLATE "C",
    subject       TEXT        COLLATE "C",
    draft         TEXT        NOT NULL COLLATE "C",
    held_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, run_id, number)
);

CREATE INDEX held_memories_by_memory ON held_memories (org_id, memory_id);
CREATE INDEX held_memories_by_workspace ON held_memories (org_id, workspace_id);
CREATE INDEX held_memories_by_subject ON held_memories (org_id, subject) WHERE subject IS NOT NULL;
