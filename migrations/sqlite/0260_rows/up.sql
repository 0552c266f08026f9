-- Collections of rows: structured raw material of one workspace. `row_count` and `bytes` count the rows.
CREATE TABLE collections (
    org_id        BLOB    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    name          TEXT    NOT NULL,
    key_column    TEXT    NOT NULL,
    time_column   TEXT,
    schema        TEXT,
    row_count     INTEGER NOT NULL,
    bytes         INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (org_id, workspace_id, name)
) STRICT, WITHOUT ROWID;

-- A row, with all its columns as JSON. Each change has a new `seq`, from which processors learn of it.
CREATE TABLE collection_rows (
    org_id        BLOB    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    collection    TEXT    NOT NULL,
    key           TEXT    NOT NULL,
    row_time      INTEGER,
    content       TEXT    NOT NULL,
    content_hash  BLOB    NOT NULL,
    size_bytes    INTEGER NOT NULL,
    seq           INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    extracted_at  INTEGER,
    PRIMARY KEY (org_id, workspace_id, collection, key)
) STRICT;
CREATE INDEX collection_rows_by_seq ON collection_rows (org_id, workspace_id, collection, seq);
