-- Documents. The text is in their passages, in order; `content_hash` and `size_bytes` are those of the whole.
CREATE TABLE documents (
    org_id        UUID        NOT NULL,
    id            UUID        NOT NULL,
    author_id     UUID        NOT NULL,
    scope         TEXT        NOT NULL COLLATE "C" CHECK (scope IN ('LOCAL', 'TEAM', 'GLOBAL')),
    team_id       UUID        NOT NULL,
    status        TEXT        NOT NULL COLLATE "C" CHECK (status IN ('live', 'redacted', 'deleted')),
    title         TEXT        NOT NULL COLLATE "C",
    media_type    TEXT        NOT NULL COLLATE "C",
    collection    TEXT        COLLATE "C",
    tags          TEXT        NOT NULL COLLATE "C",
    metadata      TEXT        COLLATE "C",
    written_by    TEXT        COLLATE "C",
    source_uri    TEXT        COLLATE "C",
    content_hash  BYTEA       NOT NULL,
    size_bytes    BIGINT      NOT NULL,
    chars         BIGINT      NOT NULL,
    passages      BIGINT      NOT NULL,
    writer_role   TEXT        NOT NULL COLLATE "C",
    version       BIGINT      NOT NULL,
    org_version   BIGINT      NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL,
    updated_at    TIMESTAMPTZ NOT NULL,
    expires_at    TIMESTAMPTZ,
    PRIMARY KEY (org_id, id)
);

CREATE INDEX documents_newest ON documents (org_id, author_id, created_at, id) WHERE status = 'live';
CREATE INDEX documents_by_content ON documents (org_id, author_id, content_hash);
CREATE INDEX documents_by_expiry ON documents (expires_at) WHERE expires_at IS NOT NULL;

-- Earlier versions of documents, each with its whole text.
CREATE TABLE document_versions (
    org_id       UUID        NOT NULL,
    document_id  UUID        NOT NULL,
    version      BIGINT      NOT NULL,
    author_id    UUID        NOT NULL,
    title        TEXT        NOT NULL COLLATE "C",
    content      TEXT        NOT NULL COLLATE "C",
    media_type   TEXT        NOT NULL COLLATE "C",
    tags         TEXT        NOT NULL COLLATE "C",
    metadata     TEXT        COLLATE "C",
    source_uri   TEXT        COLLATE "C",
    size_bytes   BIGINT      NOT NULL,
    writer_role  TEXT        NOT NULL COLLATE "C",
    written_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, document_id, version)
);

-- The parts of documents that searches find. `heading` is the path of headings as a JSON list; `title` is the line that
-- search reads before the content: the title of the document and the path.
CREATE TABLE document_passages (
    org_id       UUID        NOT NULL,
    id           UUID        NOT NULL,
    document_id  UUID        NOT NULL,
    author_id    UUID        NOT NULL,
    number       BIGINT      NOT NULL,
    title        TEXT        NOT NULL COLLATE "C",
    heading      TEXT        NOT NULL COLLATE "C",
    content      TEXT        NOT NULL COLLATE "C",
    start_byte   BIGINT      NOT NULL,
    start_char   BIGINT      NOT NULL,
    chars        BIGINT      NOT NULL,
    seq          BIGINT      NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);

CREATE INDEX document_passages_by_document ON document_passages (org_id, document_id, number);
CREATE INDEX document_passages_by_author ON document_passages (org_id, author_id);
