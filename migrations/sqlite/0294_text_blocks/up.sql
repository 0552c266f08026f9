-- Blocks of the words of episodes and memories, in which session-search looks for the words of a query. Each has some thousand
-- rows of one workspace and kind; `rows` has their keys, and which words they contain. A workspace gets blocks by a search
-- that read many rows.
CREATE TABLE text_blocks (
    org_id        BLOB NOT NULL,
    workspace_id  BLOB NOT NULL,
    kind          TEXT NOT NULL CHECK (kind IN ('activity', 'memory')),
    number        INTEGER NOT NULL,
    row_count     INTEGER NOT NULL,
    size_bytes    INTEGER NOT NULL,
    newest_at     INTEGER NOT NULL,
    oldest_at     INTEGER NOT NULL,
    first_id      BLOB NOT NULL,
    last_id       BLOB NOT NULL,
    words         BLOB NOT NULL,
    rows          BLOB NOT NULL,
    PRIMARY KEY (org_id, workspace_id, kind, number)
) STRICT;

-- The workspaces with blocks. Their episodes up to `episodes_until` are in blocks, and their memories up to `memories_at` and
-- `memories_id`, in order of creation; all memories if `has_memories`.
CREATE TABLE text_workspaces (
    org_id          BLOB NOT NULL,
    workspace_id    BLOB NOT NULL,
    version         INTEGER NOT NULL,
    episodes_until  BLOB NOT NULL,
    memories_at     INTEGER NOT NULL,
    memories_id     BLOB NOT NULL,
    has_memories    INTEGER NOT NULL CHECK (has_memories IN (0, 1)),
    PRIMARY KEY (org_id, workspace_id)
) STRICT, WITHOUT ROWID;

-- The blocks of an org have the changes of its memories up to `org_version`.
CREATE TABLE text_progress (
    org_id       BLOB NOT NULL,
    org_version  INTEGER NOT NULL,
    PRIMARY KEY (org_id)
) STRICT, WITHOUT ROWID;

-- Episodes up to `episodes_bound` of their org that the blocks lack, or have with an earlier text.
CREATE TABLE episode_changes (
    org_id        BLOB NOT NULL,
    workspace_id  BLOB NOT NULL,
    id            BLOB NOT NULL,
    episode_id    BLOB NOT NULL,
    PRIMARY KEY (org_id, workspace_id, id)
) STRICT, WITHOUT ROWID;

-- At least the greatest `episodes_until` of the org. A write of an episode up to it adds a row to `episode_changes`.
ALTER TABLE orgs ADD COLUMN episodes_bound BLOB;
