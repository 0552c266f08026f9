-- The namespaces of the memory-plugin contract. Each has a workspace whose LOCAL memories are its memories, and whose
-- metadata are its metadata.
CREATE TABLE plugin_namespaces (
    org_id       BLOB    NOT NULL,
    name         TEXT    NOT NULL,
    workspace_id BLOB    NOT NULL,
    kind         TEXT    NOT NULL CHECK (kind IN ('workspace', 'team', 'org', 'custom')),
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    PRIMARY KEY (org_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX plugin_namespaces_by_workspace ON plugin_namespaces (org_id, workspace_id);
CREATE INDEX plugin_namespaces_by_expiry ON plugin_namespaces (expires_at) WHERE expires_at IS NOT NULL;
