-- Which memories were redacted, by whom, when and why: nothing of what stood in them.
CREATE TABLE redactions (
    org_id       UUID        NOT NULL,
    memory_id    UUID        NOT NULL,
    author_id    UUID        NOT NULL,
    reason       TEXT        NOT NULL COLLATE "C",
    redacted_by  TEXT        NOT NULL COLLATE "C",
    redacted_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, memory_id)
);

-- Receipts of what was erased in one go. `about` is the SHA-256 of the subject, or the id of the workspace.
CREATE TABLE erasures (
    org_id      UUID        NOT NULL,
    id          UUID        NOT NULL,
    what        TEXT        NOT NULL COLLATE "C" CHECK (what IN ('subject', 'workspace', 'org')),
    about       BYTEA       NOT NULL,
    reason      TEXT        NOT NULL COLLATE "C",
    erased_by   TEXT        NOT NULL COLLATE "C",
    erased_at   TIMESTAMPTZ NOT NULL,
    workspaces  BIGINT      NOT NULL,
    memories    BIGINT      NOT NULL,
    versions    BIGINT      NOT NULL,
    entries     BIGINT      NOT NULL,
    episodes    BIGINT      NOT NULL,
    tokens      BIGINT      NOT NULL,
    answers     BIGINT      NOT NULL,
    PRIMARY KEY (org_id, id)
);

-- Which workspace an answer tells of, so that it goes with the workspace.
ALTER TABLE idempotency_keys ADD COLUMN workspace_id UUID;

CREATE INDEX memories_by_subject ON memories (org_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX memory_versions_by_subject ON memory_versions (org_id, subject) WHERE subject IS NOT NULL;
