-- Pages: the short view of exchanges, made of episodes and always replaceable from them. `hot` and `warm` are the two texts
-- of an exchange; `tier` decides which of them is read. `links`, `kinds` are JSON; `sources` are episode ids of 16 bytes each.
CREATE TABLE pages (
    org_id          BLOB    NOT NULL,
    workspace_id    BLOB    NOT NULL,
    id              BLOB    NOT NULL,
    subject         TEXT    NOT NULL,
    thread          TEXT    NOT NULL,
    tier            TEXT    NOT NULL,
    hot             TEXT    NOT NULL,
    warm            TEXT    NOT NULL,
    hot_tokens      INTEGER NOT NULL,
    warm_tokens     INTEGER NOT NULL,
    salience        REAL    NOT NULL,
    links           TEXT    NOT NULL,
    kinds           TEXT    NOT NULL,
    outcome         TEXT,
    first_at        INTEGER NOT NULL,
    last_at         INTEGER NOT NULL,
    effective_at    INTEGER NOT NULL,
    sessions        INTEGER NOT NULL,
    successes       INTEGER NOT NULL,
    failures        INTEGER NOT NULL,
    sources         BLOB    NOT NULL,
    version         INTEGER NOT NULL,
    compacted_at    INTEGER NOT NULL,
    made_by         TEXT    NOT NULL,
    PRIMARY KEY (org_id, workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX pages_by_subject ON pages (org_id, workspace_id, subject, tier, last_at);
CREATE INDEX pages_by_time ON pages (org_id, workspace_id, last_at);

-- What is to be compacted: a thread of a subject, or with an empty thread the tiers of the subject. A change replaces `mark`.
CREATE TABLE page_work (
    org_id          BLOB    NOT NULL,
    workspace_id    BLOB    NOT NULL,
    subject         TEXT    NOT NULL,
    thread          TEXT    NOT NULL,
    mark            BLOB    NOT NULL,
    due_at          INTEGER NOT NULL,
    PRIMARY KEY (org_id, workspace_id, subject, thread)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_work_due ON page_work (org_id, due_at);

-- Finds the episodes of a thread. Episodes of the server have no correlation id and are not in it.
CREATE INDEX episodes_by_thread ON episodes (org_id, workspace_id, coalesce(session_id, correlation_id), subject)
    WHERE correlation_id IS NOT NULL;

INSERT INTO page_work
    SELECT org_id, workspace_id, coalesce(subject, ''), coalesce(session_id, correlation_id), zeroblob(16), 0
    FROM episodes WHERE correlation_id IS NOT NULL
    GROUP BY org_id, workspace_id, coalesce(subject, ''), coalesce(session_id, correlation_id);
