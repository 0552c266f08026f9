-- Which memories were redacted, by whom, when and why: nothing of what stood in them.
CREATE TABLE redactions (
    org_id       BLOB    NOT NULL,
    memory_id    BLOB    NOT NULL,
    author_id    BLOB    NOT NULL,
    reason       TEXT    NOT NULL,
    redacted_by  TEXT    NOT NULL,
    redacted_at  INTEGER NOT NULL,
    PRIMARY KEY (org_id, memory_id)
) STRICT, WITHOUT ROWID;

-- Receipts of what was erased in one go. `about` is the SHA-256 of the subject, or the id of the workspace.
CREATE TABLE erasures (
    org_id      BLOB    NOT NULL,
    id          BLOB    NOT NULL,
    what        TEXT    NOT NULL CHECK (what IN ('subject', 'workspace', 'org')),
    about       BLOB    NOT NULL,
    reason      TEXT    NOT NULL,
    erased_by   TEXT    NOT NULL,
    erased_at   INTEGER NOT NULL,
    workspaces  INTEGER NOT NULL,
    memories    INTEGER NOT NULL,
    versions    INTEGER NOT NULL,
    entries     INTEGER NOT NULL,
    episodes    INTEGER NOT NULL,
    tokens      INTEGER NOT NULL,
    answers     INTEGER NOT NULL,
    PRIMARY KEY (org_id, id)
) STRICT, WITHOUT ROWID;

-- Which workspace an answer tells of, so that it goes with the workspace.
ALTER TABLE idempotency_keys ADD COLUMN workspace_id BLOB;

CREATE INDEX memories_by_subject ON memories (org_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX memory_versions_by_subject ON memory_versions (org_id, subject) WHERE subject IS NOT NULL;
