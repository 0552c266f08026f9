-- What happened in a workspace, never changed. Ids are made of the time, so their order is the order of events.
-- `folded` is every text of the row as session-search compares it.
CREATE TABLE episodes (
    org_id          UUID        NOT NULL,
    workspace_id    UUID        NOT NULL,
    id              UUID        NOT NULL,
    activity_type   TEXT        NOT NULL COLLATE "C",
    method          TEXT        COLLATE "C",
    summary         TEXT        COLLATE "C",
    target_id       UUID,
    status          TEXT        COLLATE "C",
    error_detail    TEXT        COLLATE "C",
    duration_ms     BIGINT,
    actor           TEXT        COLLATE "C",
    channel         TEXT        COLLATE "C",
    correlation_id  TEXT        COLLATE "C",
    session_id      TEXT        COLLATE "C",
    kind            TEXT        COLLATE "C",
    outcome         TEXT        COLLATE "C",
    supersedes      UUID,
    created_at      TIMESTAMPTZ NOT NULL,
    folded          TEXT        NOT NULL COLLATE "C",
    metadata        TEXT        COLLATE "C",
    request_body    TEXT        COLLATE "C",
    response_body   TEXT        COLLATE "C",
    PRIMARY KEY (org_id, workspace_id, id)
);
