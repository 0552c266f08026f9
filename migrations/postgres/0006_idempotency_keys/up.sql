-- The first answer to a request that named an `Idempotency-Key`, written in the transaction of what it did.
CREATE TABLE idempotency_keys (
    org_id       UUID        NOT NULL,
    owner        TEXT        NOT NULL COLLATE "C",
    key          TEXT        NOT NULL COLLATE "C",
    body_hash    BYTEA       NOT NULL,
    answer       TEXT        NOT NULL COLLATE "C",
    created_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, owner, key)
);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
