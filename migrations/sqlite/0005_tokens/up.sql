-- Tokens that this server issued; those that a platform signs itself are not in it. Admin tokens are the nil org's.
CREATE TABLE tokens (
    org_id        BLOB    NOT NULL,
    jti           BLOB    NOT NULL,
    workspace_id  BLOB,
    role          TEXT    NOT NULL,
    subject       TEXT    NOT NULL,
    issued_at     INTEGER NOT NULL,
    expires_at    INTEGER NOT NULL,
    PRIMARY KEY (org_id, jti)
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_by_jti ON tokens (jti);
CREATE INDEX tokens_by_expiry ON tokens (expires_at);

-- Tokens that are refused though their signature holds, until they would have expired anyway.
CREATE TABLE revocations (
    org_id      BLOB    NOT NULL,
    jti         BLOB    NOT NULL,
    revoked_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (org_id, jti)
) STRICT, WITHOUT ROWID;
