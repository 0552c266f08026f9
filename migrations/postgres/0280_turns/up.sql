-- Turns of conversations and what became of their extraction. A turn has no text: its messages are episodes, whose ids are
-- in `episodes`, 16 bytes each. `due_at` is the time of the next attempt; an attempt moves it ahead, so that another server
-- continues when one dies.
CREATE TABLE turns (
    org_id        UUID NOT NULL,
    workspace_id  UUID NOT NULL,
    id            UUID NOT NULL,
    episodes      BYTEA NOT NULL,
    state         TEXT NOT NULL COLLATE "C",
    due_at        TIMESTAMPTZ,
    attempt       UUID,
    attempts      BIGINT NOT NULL,
    memories      BYTEA NOT NULL,
    unchanged     BIGINT NOT NULL,
    refused       TEXT NOT NULL COLLATE "C",
    model         TEXT COLLATE "C",
    error         TEXT COLLATE "C",
    created_at    TIMESTAMPTZ NOT NULL,
    ended_at      TIMESTAMPTZ,
    PRIMARY KEY (org_id, workspace_id, id)
);
CREATE INDEX turns_by_due ON turns (org_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX turns_by_end ON turns (org_id, ended_at) WHERE ended_at IS NOT NULL;
