-- Tokens that this server issued; those that a platform signs itself are not in it. Admin tokens are the nil org's.
CREATE TABLE tokens (
    org_id        UUID        NOT NULL,
    jti           UUID        NOT NULL,
    workspace_id  UUID,
    role          TEXT        NOT NULL COLLATE "C",
    subject       TEXT        NOT NULL COLLATE "C",
    issued_at     TIMESTAMPTZ NOT NULL,
    expires_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, jti)
);

CREATE INDEX tokens_by_jti ON tokens (jti);
CREATE INDEX tokens_by_expiry ON tokens (expires_at);

-- Tokens that are refused though their signature holds, until they would have expired anyway.
CREATE TABLE revocations (
    org_id      UUID        NOT NULL,
    jti         UUID        NOT NULL,
    revoked_at  TIMESTAMPTZ NOT NULL,
    expires_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, jti)
);
