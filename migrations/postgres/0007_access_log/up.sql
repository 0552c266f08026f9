-- Who did what, with which memories, when; hashes of content, never content. `seq` counts the rows of an org without a
-- gap, in the order of their commits. `memories` is a list of ids and versions. Rows are never changed.
ALTER TABLE orgs ADD COLUMN access_seq BIGINT NOT NULL DEFAULT 0;
ALTER TABLE orgs ADD COLUMN sealed_seq BIGINT NOT NULL DEFAULT 0;

CREATE TABLE access_log (
    org_id        UUID        NOT NULL,
    seq           BIGINT      NOT NULL,
    at            TIMESTAMPTZ NOT NULL,
    verb          TEXT        NOT NULL COLLATE "C",
    subject       TEXT        NOT NULL COLLATE "C",
    role          TEXT        NOT NULL COLLATE "C",
    token_id      UUID,
    workspace_id  UUID        NOT NULL,
    run_id        UUID,
    content_hash  BYTEA,
    memories      BYTEA       NOT NULL,
    context       TEXT        NOT NULL COLLATE "C",
    PRIMARY KEY (org_id, seq)
);

CREATE INDEX access_log_by_workspace ON access_log (org_id, workspace_id, seq);
CREATE INDEX access_log_by_run ON access_log (org_id, run_id, seq) WHERE run_id IS NOT NULL;

-- The chain: one row for each stretch of the log that was sealed at once. `hashes` has one for each of its rows; it is
-- empty where the rows were reclaimed, and the stretch is a checkpoint. `named` has the last eight bytes of the ids of
-- the memories that its rows name, sorted: where to look for what was done with one.
CREATE TABLE access_seals (
    org_id     UUID        NOT NULL,
    first_seq  BIGINT      NOT NULL,
    last_seq   BIGINT      NOT NULL,
    named      BYTEA       NOT NULL,
    hashes     BYTEA       NOT NULL,
    previous   BYTEA       NOT NULL,
    link       BYTEA       NOT NULL,
    key_id     BYTEA       NOT NULL,
    mac        BYTEA       NOT NULL,
    sealed_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, first_seq)
);
