-- Documents. The text is in their passages, in order; `content_hash` and `size_bytes` are those of the whole.
CREATE TABLE documents (
    org_id        BLOB    NOT NULL,
    id            BLOB    NOT NULL,
    author_id     BLOB    NOT NULL,
    scope         TEXT    NOT NULL CHECK (scope IN ('LOCAL', 'TEAM', 'GLOBAL')),
    team_id       BLOB    NOT NULL,
    status        TEXT    NOT NULL CHECK (status IN ('live', 'redacted', 'deleted')),
    title         TEXT    NOT NULL,
    media_type    TEXT    NOT NULL,
    collection    TEXT,
    tags          TEXT    NOT NULL,
    metadata      TEXT,
    written_by    TEXT,
    source_uri    TEXT,
    content_hash  BLOB    NOT NULL,
    size_bytes    INTEGER NOT NULL,
    chars         INTEGER NOT NULL,
    passages      INTEGER NOT NULL,
    writer_role   TEXT    NOT NULL,
    version       INTEGER NOT NULL,
    org_version   INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    expires_at    INTEGER,
    PRIMARY KEY (org_id, id)
) STRICT;

CREATE INDEX documents_newest ON documents (org_id, author_id, created_at, id) WHERE status = 'live';
CREATE INDEX documents_by_content ON documents (org_id, author_id, content_hash);
CREATE INDEX documents_by_expiry ON documents (expires_at) WHERE expires_at IS NOT NULL;

-- Earlier versions of documents, each with its whole text.
CREATE TABLE document_versions (
    org_id       BLOB    NOT NULL,
    document_id  BLOB    NOT NULL,
    version      INTEGER NOT NULL,
    author_id    BLOB    NOT NULL,
    title        TEXT    NOT NULL,
    content      TEXT    NOT NULL,
    media_type   TEXT    NOT NULL,
    tags         TEXT    NOT NULL,
    metadata     TEXT,
    source_uri   TEXT,
    size_bytes   INTEGER NOT NULL,
    writer_role  TEXT    NOT NULL,
    written_at   INTEGER NOT NULL,
    PRIMARY KEY (org_id, document_id, version)
) STRICT;

-- The parts of documents that searches find. `heading` is the path of headings as a JSON list; `title` is the line that
-- search reads before the content: the title of the document and the path.
CREATE TABLE document_passages (
    org_id       BLOB    NOT NULL,
    id           BLOB    NOT NULL,
    document_id  BLOB    NOT NULL,
    author_id    BLOB    NOT NULL,
    number       INTEGER NOT NULL,
    title        TEXT    NOT NULL,
    heading      TEXT    NOT NULL,
    content      TEXT    NOT NULL,
    start_byte   INTEGER NOT NULL,
    start_char   INTEGER NOT NULL,
    chars        INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (org_id, id)
) STRICT;

CREATE INDEX document_passages_by_document ON document_passages (org_id, document_id, number);
CREATE INDEX document_passages_by_author ON document_passages (org_id, author_id);
