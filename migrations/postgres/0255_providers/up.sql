-- Items and queries to send to providers, after the answer. An item has no text here: it is read when it is sent. A change
-- of a row replaces `mark`.
CREATE TABLE provider_outbox (
    org_id        UUID NOT NULL,
    provider      TEXT NOT NULL COLLATE "C",
    id            UUID NOT NULL,
    mark          UUID NOT NULL,
    operation     TEXT NOT NULL COLLATE "C",
    surface       TEXT NOT NULL COLLATE "C",
    workspace_id  UUID NOT NULL,
    query         TEXT COLLATE "C",
    bytes         BIGINT NOT NULL,
    queued_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, provider, id)
);
CREATE INDEX provider_outbox_by_item ON provider_outbox (org_id, id);
CREATE INDEX provider_outbox_by_time ON provider_outbox (org_id, provider, queued_at);

-- The rows and bytes of each outbox, and how many rows it dropped when it was full.
CREATE TABLE provider_queues (
    org_id        UUID NOT NULL,
    provider      TEXT NOT NULL COLLATE "C",
    row_count     BIGINT NOT NULL,
    bytes         BIGINT NOT NULL,
    dropped       BIGINT NOT NULL,
    PRIMARY KEY (org_id, provider)
);

-- What a provider has, or may have: a row is written before the item is sent, and deleted when it was withdrawn.
CREATE TABLE provider_items (
    org_id        UUID NOT NULL,
    provider      TEXT NOT NULL COLLATE "C",
    id            UUID NOT NULL,
    workspace_id  UUID NOT NULL,
    surface       TEXT NOT NULL COLLATE "C",
    namespace     TEXT NOT NULL COLLATE "C",
    sent_at       TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, provider, id)
);
CREATE INDEX provider_items_by_item ON provider_items (org_id, id);
CREATE INDEX provider_items_by_workspace ON provider_items (org_id, workspace_id);

-- The state and the figures of a provider on each surface, in the org of the server.
CREATE TABLE provider_surfaces (
    org_id        UUID NOT NULL,
    provider      TEXT NOT NULL COLLATE "C",
    surface       TEXT NOT NULL COLLATE "C",
    state         TEXT NOT NULL COLLATE "C",
    changed_at    TIMESTAMPTZ NOT NULL,
    calls         BIGINT NOT NULL,
    errors        BIGINT NOT NULL,
    refusals      BIGINT NOT NULL,
    samples       BIGINT NOT NULL,
    overlap_sum   DOUBLE PRECISION NOT NULL,
    rank_sum      DOUBLE PRECISION NOT NULL,
    misses        BIGINT NOT NULL,
    withheld      BIGINT NOT NULL,
    latency_sum   BIGINT NOT NULL,
    latency_max   BIGINT NOT NULL,
    PRIMARY KEY (org_id, provider, surface)
);
