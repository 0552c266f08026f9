-- What happened in a workspace, never changed. Ids are made of the time, so their order is the order of events.
-- `folded` is every text of the row as session-search compares it.
CREATE TABLE episodes (
    org_id          BLOB    NOT NULL,
    workspace_id    BLOB    NOT NULL,
    id              BLOB    NOT NULL,
    activity_type   TEXT    NOT NULL,
    method          TEXT,
    summary         TEXT,
    target_id       BLOB,
    status          TEXT,
    error_detail    TEXT,
    duration_ms     INTEGER,
    actor           TEXT,
    channel         TEXT,
    correlation_id  TEXT,
    session_id      TEXT,
    kind            TEXT,
    outcome         TEXT,
    supersedes      BLOB,
    created_at      INTEGER NOT NULL,
    folded          TEXT    NOT NULL,
    metadata        TEXT,
    request_body    TEXT,
    response_body   TEXT,
    PRIMARY KEY (org_id, workspace_id, id)
) STRICT, WITHOUT ROWID;
