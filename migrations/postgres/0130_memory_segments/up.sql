-- Segments of the search index: the documents of a partition as recall reads them, without those in `deleted`.
-- `first_id` and `last_id` bound the ids of its documents; `live` is the number of those that are not deleted.
CREATE TABLE memory_segments (
    org_id      UUID NOT NULL,
    author_id   UUID NOT NULL,
    scope       TEXT COLLATE "C" NOT NULL,
    team_id     UUID NOT NULL,
    number      BIGINT NOT NULL,
    first_id    UUID NOT NULL,
    last_id     UUID NOT NULL,
    live        BIGINT NOT NULL,
    size_bytes  BIGINT NOT NULL,
    deleted     BYTEA NOT NULL,
    data        BYTEA NOT NULL,
    PRIMARY KEY (org_id, author_id, scope, team_id, number)
);

-- The segments of an org have the state of its index at `org_version`; index rows beyond are read on top of them.
CREATE TABLE segment_progress (
    org_id       UUID NOT NULL,
    org_version  BIGINT NOT NULL,
    PRIMARY KEY (org_id)
);

-- Segments are compact already.
ALTER TABLE memory_segments ALTER COLUMN data SET STORAGE EXTERNAL;
