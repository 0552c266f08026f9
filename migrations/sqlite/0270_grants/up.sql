-- Grants: the consent of an end user that sessions of a workspace are read in other ones. `sessions` is a JSON array; null means
-- all sessions.
CREATE TABLE grants (
    org_id        BLOB    NOT NULL,
    id            BLOB    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    subject       TEXT    NOT NULL,
    sessions      TEXT,
    to_workspace  BLOB    NOT NULL,
    to_session    TEXT,
    evidence      TEXT    NOT NULL,
    granted_by    TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    expires_at    INTEGER,
    PRIMARY KEY (org_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_by_workspace ON grants (org_id, workspace_id, id);
CREATE INDEX grants_by_reader ON grants (org_id, to_workspace, subject);
CREATE INDEX grants_by_subject ON grants (org_id, subject);
CREATE INDEX grants_by_expiry ON grants (expires_at) WHERE expires_at IS NOT NULL;
