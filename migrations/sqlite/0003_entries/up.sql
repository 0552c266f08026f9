-- Working state, key by key. A row without a value is a key that was dropped or swept: it keeps its version,
-- which is never used again.
CREATE TABLE entries (
    org_id        BLOB    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    key           TEXT    NOT NULL,
    value         TEXT,
    version       INTEGER NOT NULL,
    expires_at    INTEGER,
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (org_id, workspace_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX entries_by_expiry ON entries (expires_at, org_id) WHERE expires_at IS NOT NULL;
