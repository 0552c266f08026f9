-- Memories that their authors share alike: one author, one scope, one team (nil for none).
CREATE TABLE shelves (
    org_id         BLOB    NOT NULL,
    author_id      BLOB    NOT NULL,
    scope          TEXT    NOT NULL,
    team_id        BLOB    NOT NULL,
    live_count     INTEGER NOT NULL,
    version        INTEGER NOT NULL,
    last_write_at  INTEGER NOT NULL,
    PRIMARY KEY (org_id, author_id, scope, team_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE memories (
    org_id         BLOB    NOT NULL,
    id             BLOB    NOT NULL,
    author_id      BLOB    NOT NULL,
    scope          TEXT    NOT NULL CHECK (scope IN ('LOCAL', 'TEAM', 'GLOBAL')),
    team_id        BLOB    NOT NULL,
    status         TEXT    NOT NULL
        CHECK (status IN ('live', 'pending', 'superseded', 'redacted', 'deleted')),
    content        TEXT,
    content_hash   BLOB    NOT NULL,
    namespace      TEXT    NOT NULL,
    kind           TEXT    NOT NULL,
    source         TEXT    NOT NULL,
    writer_role    TEXT    NOT NULL,
    confidence     REAL    NOT NULL,
    tags           TEXT    NOT NULL,
    metadata       TEXT,
    subject        TEXT,
    session_id     TEXT,
    run_id         BLOB,
    pin            INTEGER NOT NULL,
    supersedes     BLOB,
    superseded_by  BLOB,
    version        INTEGER NOT NULL,
    seq            INTEGER NOT NULL,
    change         INTEGER NOT NULL,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    expires_at     INTEGER,
    PRIMARY KEY (org_id, id)
) STRICT;

-- Session-search lists an author's own, newest first.
CREATE INDEX memories_by_author ON memories (org_id, author_id, created_at, id);
CREATE INDEX memories_pinned ON memories (org_id, author_id) WHERE pin = 1;
CREATE INDEX memories_by_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL AND content IS NOT NULL;

-- What a search reads. `doc` is the memory analysed by recall; none once the memory left the index.
-- Its key is the shelf, so that one shelf lies together on disk.
CREATE TABLE memory_index (
    org_id      BLOB    NOT NULL,
    author_id   BLOB    NOT NULL,
    scope       TEXT    NOT NULL,
    team_id     BLOB    NOT NULL,
    memory_id   BLOB    NOT NULL,
    change      INTEGER NOT NULL,
    expires_at  INTEGER,
    doc         BLOB,
    folded      TEXT,
    PRIMARY KEY (org_id, author_id, scope, team_id, memory_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_index_by_change ON memory_index (org_id, change);
CREATE INDEX memory_index_by_expiry ON memory_index (expires_at, org_id, author_id, scope)
    WHERE expires_at IS NOT NULL;
