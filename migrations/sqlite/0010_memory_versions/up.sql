-- What a memory said before it was last changed; what it says now is in `memories` alone.
CREATE TABLE memory_versions (
    org_id       BLOB    NOT NULL,
    memory_id    BLOB    NOT NULL,
    version      INTEGER NOT NULL,
    author_id    BLOB    NOT NULL,
    scope        TEXT    NOT NULL CHECK (scope IN ('LOCAL', 'TEAM', 'GLOBAL')),
    team_id      BLOB    NOT NULL,
    content      TEXT    NOT NULL,
    namespace    TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    source       TEXT    NOT NULL,
    writer_role  TEXT    NOT NULL,
    confidence   REAL    NOT NULL,
    tags         TEXT    NOT NULL,
    metadata     TEXT,
    subject      TEXT,
    session_id   TEXT,
    pin          INTEGER NOT NULL,
    written_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    PRIMARY KEY (org_id, memory_id, version)
) STRICT;

CREATE INDEX memory_versions_by_author ON memory_versions (org_id, author_id);
CREATE INDEX memory_versions_by_expiry ON memory_versions (expires_at, org_id) WHERE expires_at IS NOT NULL;
