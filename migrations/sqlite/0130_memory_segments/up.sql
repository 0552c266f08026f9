-- Segments of the search index: the documents of a partition as recall reads them, without those in `deleted`.
-- `first_id` and `last_id` bound the ids of its documents; `live` is the number of those that are not deleted.
CREATE TABLE memory_segments (
    org_id      BLOB NOT NULL,
    author_id   BLOB NOT NULL,
    scope       TEXT NOT NULL,
    team_id     BLOB NOT NULL,
    number      INTEGER NOT NULL,
    first_id    BLOB NOT NULL,
    last_id     BLOB NOT NULL,
    live        INTEGER NOT NULL,
    size_bytes  INTEGER NOT NULL,
    deleted     BLOB NOT NULL,
    data        BLOB NOT NULL,
    PRIMARY KEY (org_id, author_id, scope, team_id, number)
) STRICT;

-- The segments of an org have the state of its index at `org_version`; index rows beyond are read on top of them.
CREATE TABLE segment_progress (
    org_id       BLOB NOT NULL,
    org_version  INTEGER NOT NULL,
    PRIMARY KEY (org_id)
) STRICT, WITHOUT ROWID;
