-- Memories that their authors share alike: one author, one scope, one team (nil for none).
CREATE TABLE shelves (
    org_id         UUID        NOT NULL,
    author_id      UUID        NOT NULL,
    scope          TEXT        NOT NULL COLLATE "C",
    team_id        UUID        NOT NULL,
    live_count     BIGINT      NOT NULL,
    version        BIGINT      NOT NULL,
    last_write_at  TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, author_id, scope, team_id)
) WITH (fillfactor = 70);

CREATE TABLE memories (
    org_id         UUID             NOT NULL,
    id             UUID             NOT NULL,
    author_id      UUID             NOT NULL,
    scope          TEXT             NOT NULL COLLATE "C" CHECK (scope IN ('LOCAL', 'TEAM', 'GLOBAL')),
    team_id        UUID             NOT NULL,
    status         TEXT             NOT NULL COLLATE "C"
        CHECK (status IN ('live', 'pending', 'superseded', 'redacted', 'deleted')),
    content        TEXT             COLLATE "C",
    content_hash   BYTEA            NOT NULL,
    namespace      TEXT             NOT NULL COLLATE "C",
    kind           TEXT             NOT NULL COLLATE "C",
    source         TEXT             NOT NULL COLLATE "C",
    writer_role    TEXT             NOT NULL COLLATE "C",
    confidence     DOUBLE PRECISION NOT NULL,
    tags           TEXT             NOT NULL COLLATE "C",
    metadata       TEXT             COLLATE "C",
    subject        TEXT             COLLATE "C",
    session_id     TEXT             COLLATE "C",
    run_id         UUID,
    pin            BOOLEAN          NOT NULL,
    supersedes     UUID,
    superseded_by  UUID,
    version        BIGINT           NOT NULL,
    seq            BIGINT           NOT NULL,
    change         BIGINT           NOT NULL,
    created_at     TIMESTAMPTZ      NOT NULL,
    updated_at     TIMESTAMPTZ      NOT NULL,
    expires_at     TIMESTAMPTZ,
    PRIMARY KEY (org_id, id)
);

-- Session-search lists an author's own, newest first.
CREATE INDEX memories_by_author ON memories (org_id, author_id, created_at, id);
CREATE INDEX memories_pinned ON memories (org_id, author_id) WHERE pin;
CREATE INDEX memories_by_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL AND content IS NOT NULL;

-- What a search reads. `doc` is the memory analysed by recall; none once the memory left the index.
-- Its key is the shelf, so that one shelf is read in one go.
CREATE TABLE memory_index (
    org_id      UUID        NOT NULL,
    author_id   UUID        NOT NULL,
    scope       TEXT        NOT NULL COLLATE "C",
    team_id     UUID        NOT NULL,
    memory_id   UUID        NOT NULL,
    change      BIGINT      NOT NULL,
    expires_at  TIMESTAMPTZ,
    doc         BYTEA,
    folded      TEXT        COLLATE "C",
    PRIMARY KEY (org_id, author_id, scope, team_id, memory_id)
);

CREATE INDEX memory_index_by_change ON memory_index (org_id, change);
CREATE INDEX memory_index_by_expiry ON memory_index (expires_at, org_id, author_id, scope)
    WHERE expires_at IS NOT NULL;
