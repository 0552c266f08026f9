-- Collections of rows: structured raw material of one workspace. `row_count` and `bytes` count the rows.
CREATE TABLE collections (
    org_id        UUID        NOT NULL,
    workspace_id  UUID        NOT NULL,
    name          TEXT        NOT NULL COLLATE "C",
    key_column    TEXT        NOT NULL COLLATE "C",
    time_column   TEXT        COLLATE "C",
    schema        TEXT        COLLATE "C",
    row_count     BIGINT      NOT NULL,
    bytes         BIGINT      NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL,
    updated_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, workspace_id, name)
);

-- A row, with all its columns as JSON. Each change has a new `seq`, from which processors learn of it.
CREATE TABLE collection_rows (
    org_id        UUID        NOT NULL,
    workspace_id  UUID        NOT NULL,
    collection    TEXT        NOT NULL COLLATE "C",
    key           TEXT        NOT NULL COLLATE "C",
    row_time      TIMESTAMPTZ,
    content       TEXT        NOT NULL COLLATE "C",
    content_hash  BYTEA       NOT NULL,
    size_bytes    BIGINT      NOT NULL,
    seq           BIGINT      NOT NULL,
    updated_at    TIMESTAMPTZ NOT NULL,
    extracted_at  TIMESTAMPTZ,
    PRIMARY KEY (org_id, workspace_id, collection, key)
);
CREATE INDEX collection_rows_by_seq ON collection_rows (org_id, workspace_id, collection, seq);
