-- Blocks of the words of episodes and memories, in which session-search looks for the words of a query. Each has some thousand
-- rows of one workspace and kind; `rows` has their keys, and which words they contain. A workspace gets blocks by a search
-- that read many rows.
CREATE TABLE text_blocks (
    org_id        UUID NOT NULL,
    workspace_id  UUID NOT NULL,
    kind          TEXT COLLATE "C" NOT NULL CHECK (kind IN ('activity', 'memory')),
    number        BIGINT NOT NULL,
    row_count     BIGINT NOT NULL,
    size_bytes    BIGINT NOT NULL,
    newest_at     TIMESTAMPTZ NOT NULL,
    oldest_at     TIMESTAMPTZ NOT NULL,
    first_id      UUID NOT NULL,
    last_id       UUID NOT NULL,
    words         BYTEA NOT NULL,
    rows          BYTEA NOT NULL,
    PRIMARY KEY (org_id, workspace_id, kind, number)
);

-- Blocks are compact already.
ALTER TABLE text_blocks ALTER COLUMN words SET STORAGE EXTERNAL;
ALTER TABLE text_blocks ALTER COLUMN rows SET STORAGE EXTERNAL;

-- The workspaces with blocks. Their episodes up to `episodes_until` are in blocks, and their memories up to `memories_at` and
-- `memories_id`, in order of creation; all memories if `has_memories`.
CREATE TABLE text_workspaces (
    org_id          UUID NOT NULL,
    workspace_id    UUID NOT NULL,
    version         BIGINT NOT NULL,
    episodes_until  UUID NOT NULL,
    memories_at     TIMESTAMPTZ NOT NULL,
    memories_id     UUID NOT NULL,
    has_memories    BOOLEAN NOT NULL,
    PRIMARY KEY (org_id, workspace_id)
);

-- The blocks of an org have the changes of its memories up to `org_version`.
CREATE TABLE text_progress (
    org_id       UUID NOT NULL,
    org_version  BIGINT NOT NULL,
    PRIMARY KEY (org_id)
);

-- Episodes up to `episodes_bound` of their org that the blocks lack, or have with an earlier text.
CREATE TABLE episode_changes (
    org_id        UUID NOT NULL,
    workspace_id  UUID NOT NULL,
    id            UUID NOT NULL,
    episode_id    UUID NOT NULL,
    PRIMARY KEY (org_id, workspace_id, id)
);

-- At least the greatest `episodes_until` of the org. A write of an episode up to it adds a row to `episode_changes`.
ALTER TABLE orgs ADD COLUMN episodes_bound UUID;
