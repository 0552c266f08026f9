-- The first answer to a request that named an `Idempotency-Key`, written in the transaction of what it did.
CREATE TABLE idempotency_keys (
    org_id       BLOB    NOT NULL,
    owner        TEXT    NOT NULL,
    key          TEXT    NOT NULL,
    body_hash    BLOB    NOT NULL,
    answer       TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (org_id, owner, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
