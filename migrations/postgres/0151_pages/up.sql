-- Pages: the short view of exchanges, made of episodes and always replaceable from them. `hot` and `warm` are the two texts
-- of an exchange; `tier` decides which of them is read. `links`, `kinds` are JSON; `sources` are episode ids of 16 bytes each.
CREATE TABLE pages (
    org_id          UUID             NOT NULL,
    workspace_id    UUID             NOT NULL,
    id              UUID             NOT NULL,
    subject         TEXT             NOT NULL COLLATE "C",
    thread          TEXT             NOT NULL COLLATE "C",
    tier            TEXT             NOT NULL COLLATE "C",
    hot             TEXT             NOT NULL COLLATE "C",
    warm            TEXT             NOT NULL COLLATE "C",
    hot_tokens      BIGINT           NOT NULL,
    warm_tokens     BIGINT           NOT NULL,
    salience        DOUBLE PRECISION NOT NULL,
    links           TEXT             NOT NULL COLLATE "C",
    kinds           TEXT             NOT NULL COLLATE "C",
    outcome         TEXT             COLLATE "C",
    first_at        TIMESTAMPTZ      NOT NULL,
    last_at         TIMESTAMPTZ      NOT NULL,
    effective_at    TIMESTAMPTZ      NOT NULL,
    sessions        BIGINT           NOT NULL,
    successes       BIGINT           NOT NULL,
    failures        BIGINT           NOT NULL,
    sources         BYTEA            NOT NULL,
    version         BIGINT           NOT NULL,
    compacted_at    TIMESTAMPTZ      NOT NULL,
    made_by         TEXT             NOT NULL COLLATE "C",
    PRIMARY KEY (org_id, workspace_id, id)
);
CREATE INDEX pages_by_subject ON pages (org_id, workspace_id, subject, tier, last_at);
CREATE INDEX pages_by_time ON pages (org_id, workspace_id, last_at);

-- What is to be compacted: a thread of a subject, or with an empty thread the tiers of the subject. A change replaces `mark`.
CREATE TABLE page_work (
    org_id          UUID        NOT NULL,
    workspace_id    UUID        NOT NULL,
    subject         TEXT        NOT NULL COLLATE "C",
    thread          TEXT        NOT NULL COLLATE "C",
    mark            UUID        NOT NULL,
    due_at          TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, workspace_id, subject, thread)
);
CREATE INDEX page_work_due ON page_work (org_id, due_at);

-- Finds the episodes of a thread. Episodes of the server have no correlation id and are not in it.
CREATE INDEX episodes_by_thread ON episodes (org_id, workspace_id, coalesce(session_id, correlation_id), subject)
    WHERE correlation_id IS NOT NULL;

INSERT INTO page_work
    SELECT org_id, workspace_id, coalesce(subject, ''), coalesce(session_id, correlation_id),
           '00000000-0000-0000-0000-000000000000', 'epoch'
    FROM episodes WHERE correlation_id IS NOT NULL
    GROUP BY org_id, workspace_id, coalesce(subject, ''), coalesce(session_id, correlation_id);
