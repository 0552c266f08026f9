-- Grants: the consent of an end user that sessions of a workspace are read in other ones. `sessions` is a JSON array; null means
-- all sessions.
CREATE TABLE grants (
    org_id        UUID        NOT NULL,
    id            UUID        NOT NULL,
    workspace_id  UUID        NOT NULL,
    subject       TEXT        NOT NULL COLLATE "C",
    sessions      TEXT        COLLATE "C",
    to_workspace  UUID        NOT NULL,
    to_session    TEXT        COLLATE "C",
    evidence      TEXT        NOT NULL COLLATE "C",
    granted_by    TEXT        NOT NULL COLLATE "C",
    created_at    TIMESTAMPTZ NOT NULL,
    expires_at    TIMESTAMPTZ,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX grants_by_workspace ON grants (org_id, workspace_id, id);
CREATE INDEX grants_by_reader ON grants (org_id, to_workspace, subject);
CREATE INDEX grants_by_subject ON grants (org_id, subject);
CREATE INDEX grants_by_expiry ON grants (expires_at) WHERE expires_at IS NOT NULL;
