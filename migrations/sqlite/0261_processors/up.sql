-- Processors: definitions that distil the rows of a collection into facts. Rows with a `seq` up to `read_seq` are assigned to
-- groups. `claim` is the run that works on it until `claimed_until`.
CREATE TABLE processors (
    org_id         BLOB NOT NULL,
    workspace_id   BLOB NOT NULL,
    name           TEXT NOT NULL,
    collection     TEXT NOT NULL,
    definition     TEXT NOT NULL,
    revision       INTEGER NOT NULL,
    read_seq       INTEGER NOT NULL,
    due_at         INTEGER NOT NULL,
    claim          BLOB,
    claimed_until  INTEGER,
    last_run_at    INTEGER,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    PRIMARY KEY (org_id, workspace_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX processors_by_time ON processors (due_at);

-- The group and severity of each row that a processor has read and that belongs to one.
CREATE TABLE processor_rows (
    org_id        BLOB NOT NULL,
    workspace_id  BLOB NOT NULL,
    processor     TEXT NOT NULL,
    key           TEXT NOT NULL,
    group_id      TEXT NOT NULL,
    severity      INTEGER NOT NULL,
    row_time      INTEGER,
    PRIMARY KEY (org_id, workspace_id, processor, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX processor_rows_by_group ON processor_rows (org_id, workspace_id, processor, group_id, key);

-- Groups with rows or with a fact. `touched` is the number of the last change that the fact does not show yet, or 0.
CREATE TABLE processor_groups (
    org_id        BLOB NOT NULL,
    workspace_id  BLOB NOT NULL,
    processor     TEXT NOT NULL,
    group_id      TEXT NOT NULL,
    dimensions    TEXT NOT NULL,
    touched       INTEGER NOT NULL,
    memory_id     BLOB,
    fingerprint   TEXT,
    PRIMARY KEY (org_id, workspace_id, processor, group_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX processor_groups_touched ON processor_groups (org_id, workspace_id, processor, touched) WHERE touched > 0;

-- What the last runs of each processor did.
CREATE TABLE processor_runs (
    org_id        BLOB NOT NULL,
    workspace_id  BLOB NOT NULL,
    processor     TEXT NOT NULL,
    id            BLOB NOT NULL,
    cause         TEXT NOT NULL,
    started_at    INTEGER NOT NULL,
    ended_at      INTEGER NOT NULL,
    rows_read     INTEGER NOT NULL,
    grouped       INTEGER NOT NULL,
    inserted      INTEGER NOT NULL,
    updated       INTEGER NOT NULL,
    rolled_back   INTEGER NOT NULL,
    untouched     INTEGER NOT NULL,
    cut_texts     INTEGER NOT NULL,
    capped        TEXT,
    error         TEXT,
    PRIMARY KEY (org_id, workspace_id, processor, id)
) STRICT, WITHOUT ROWID;
