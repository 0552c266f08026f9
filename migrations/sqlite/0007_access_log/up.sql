-- Who did what, with which memories, when; hashes of content, never content. `seq` counts the rows of an org without a
-- gap, in the order of their commits. `memories` is a list of ids and versions. Rows are never changed.
ALTER TABLE orgs ADD COLUMN access_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orgs ADD COLUMN sealed_seq INTEGER NOT NULL DEFAULT 0;

CREATE TABLE access_log (
    org_id        BLOB    NOT NULL,
    seq           INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    verb          TEXT    NOT NULL,
    subject       TEXT    NOT NULL,
    role          TEXT    NOT NULL,
    token_id      BLOB,
    workspace_id  BLOB    NOT NULL,
    run_id        BLOB,
    content_hash  BLOB,
    memories      BLOB    NOT NULL,
    context       TEXT    NOT NULL,
    PRIMARY KEY (org_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX access_log_by_workspace ON access_log (org_id, workspace_id, seq);
CREATE INDEX access_log_by_run ON access_log (org_id, run_id, seq) WHERE run_id IS NOT NULL;

-- The chain: one row for each stretch of the log that was sealed at once. `hashes` has one for each of its rows; it is
-- empty where the rows were reclaimed, and the stretch is a checkpoint. `named` has the last eight bytes of the ids of
-- the memories that its rows name, sorted: where to look for what was done with one.
CREATE TABLE access_seals (
    org_id     BLOB    NOT NULL,
    first_seq  INTEGER NOT NULL,
    last_seq   INTEGER NOT NULL,
    named      BLOB    NOT NULL,
    hashes     BLOB    NOT NULL,
    previous   BLOB    NOT NULL,
    link       BLOB    NOT NULL,
    key_id     BLOB    NOT NULL,
    mac        BLOB    NOT NULL,
    sealed_at  INTEGER NOT NULL,
    PRIMARY KEY (org_id, first_seq)
) STRICT, WITHOUT ROWID;
