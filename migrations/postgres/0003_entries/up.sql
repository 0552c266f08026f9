-- Working state, key by key. A row without a value is a key that was dropped or swept: it keeps its version,
-- which is never used again.
CREATE TABLE entries (
    org_id        UUID        NOT NULL,
    workspace_id  UUID        NOT NULL,
    key           TEXT        NOT NULL COLLATE "C",
    value         TEXT        COLLATE "C",
    version       BIGINT      NOT NULL,
    expires_at    TIMESTAMPTZ,
    updated_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, workspace_id, key)
) WITH (fillfactor = 80);

CREATE INDEX entries_by_expiry ON entries (expires_at, org_id) WHERE expires_at IS NOT NULL;
