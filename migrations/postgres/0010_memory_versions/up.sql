-- What a memory said before it was last changed; what it says now is in `memories` alone.
CREATE TABLE memory_versions (
    org_id       UUID             NOT NULL,
    memory_id    UUID             NOT NULL,
    version      BIGINT           NOT NULL,
    author_id    UUID             NOT NULL,
    scope        TEXT             NOT NULL COLLATE "C" CHECK (scope IN ('LOCAL', 'TEAM', 'GLOBAL')),
    team_id      UUID             NOT NULL,
    content      TEXT             NOT NULL COLLATE "C",
    namespace    TEXT             NOT NULL COLLATE "C",
    kind         TEXT             NOT NULL COLLATE "C",
    source       TEXT             NOT NULL COLLATE "C",
    writer_role  TEXT             NOT NULL COLLATE "C",
    confidence   DOUBLE PRECISION NOT NULL,
    tags         TEXT             NOT NULL COLLATE "C",
    metadata     TEXT             COLLATE "C",
    subject      TEXT             COLLATE "C",
    session_id   TEXT             COLLATE "C",
    pin          BOOLEAN          NOT NULL,
    written_at   TIMESTAMPTZ      NOT NULL,
    expires_at   TIMESTAMPTZ,
    PRIMARY KEY (org_id, memory_id, version)
);

CREATE INDEX memory_versions_by_author ON memory_versions (org_id, author_id);
CREATE INDEX memory_versions_by_expiry ON memory_versions (expires_at, org_id) WHERE expires_at IS NOT NULL;
