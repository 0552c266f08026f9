-- Items and queries to send to providers, after the answer. An item has no text here: it is read when it is sent. A change
-- of a row replaces `mark`.
CREATE TABLE provider_outbox (
    org_id        BLOB    NOT NULL,
    provider      TEXT    NOT NULL,
    id            BLOB    NOT NULL,
    mark          BLOB    NOT NULL,
    operation     TEXT    NOT NULL,
    surface       TEXT    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    query         TEXT,
    bytes         INTEGER NOT NULL,
    queued_at     INTEGER NOT NULL,
    PRIMARY KEY (org_id, provider, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX provider_outbox_by_item ON provider_outbox (org_id, id);
CREATE INDEX provider_outbox_by_time ON provider_outbox (org_id, provider, queued_at);

-- The rows and bytes of each outbox, and how many rows it dropped when it was full.
CREATE TABLE provider_queues (
    org_id        BLOB    NOT NULL,
    provider      TEXT    NOT NULL,
    row_count     INTEGER NOT NULL,
    bytes         INTEGER NOT NULL,
    dropped       INTEGER NOT NULL,
    PRIMARY KEY (org_id, provider)
) STRICT, WITHOUT ROWID;

-- What a provider has, or may have: a row is written before the item is sent, and deleted when it was withdrawn.
CREATE TABLE provider_items (
    org_id        BLOB    NOT NULL,
    provider      TEXT    NOT NULL,
    id            BLOB    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    surface       TEXT    NOT NULL,
    namespace     TEXT    NOT NULL,
    sent_at       INTEGER NOT NULL,
    PRIMARY KEY (org_id, provider, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX provider_items_by_item ON provider_items (org_id, id);
CREATE INDEX provider_items_by_workspace ON provider_items (org_id, workspace_id);

-- The state and the figures of a provider on each surface, in the org of the server.
CREATE TABLE provider_surfaces (
    org_id        BLOB    NOT NULL,
    provider      TEXT    NOT NULL,
    surface       TEXT    NOT NULL,
    state         TEXT    NOT NULL,
    changed_at    INTEGER NOT NULL,
    calls         INTEGER NOT NULL,
    errors        INTEGER NOT NULL,
    refusals      INTEGER NOT NULL,
    samples       INTEGER NOT NULL,
    overlap_sum   REAL    NOT NULL,
    rank_sum      REAL    NOT NULL,
    misses        INTEGER NOT NULL,
    withheld      INTEGER NOT NULL,
    latency_sum   INTEGER NOT NULL,
    latency_max   INTEGER NOT NULL,
    PRIMARY KEY (org_id, provider, surface)
) STRICT, WITHOUT ROWID;
