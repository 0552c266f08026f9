-- The budget of a workspace and everything below it. An absent limit is NULL. `used_memories` and `used_bytes` count the
-- memories of the workspace and of all workspaces whose last place is below it, removed ones included.
CREATE TABLE budgets (
    org_id              UUID    NOT NULL,
    workspace_id        UUID    NOT NULL,
    memories            BIGINT,
    bytes               BIGINT,
    writes_per_minute   BIGINT,
    searches_per_minute BIGINT,
    embeddings_per_day  BIGINT,
    used_memories       BIGINT NOT NULL,
    used_bytes          BIGINT NOT NULL,
    PRIMARY KEY (org_id, workspace_id)
);

-- Bytes of content, title, tags and metadata of the memories of a partition and of their earlier versions.
ALTER TABLE memory_partitions ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;

UPDATE memory_partitions SET bytes = stored.bytes
FROM (
    SELECT org_id, author_id, scope, team_id, SUM(bytes) AS bytes
    FROM (
        SELECT org_id, author_id, scope, team_id, OCTET_LENGTH(content) + COALESCE(OCTET_LENGTH(title), 0)
            + OCTET_LENGTH(tags) + COALESCE(OCTET_LENGTH(metadata), 0) AS bytes
        FROM memories WHERE content IS NOT NULL
        UNION ALL
        SELECT org_id, author_id, scope, team_id, OCTET_LENGTH(content) + COALESCE(OCTET_LENGTH(title), 0)
            + OCTET_LENGTH(tags) + COALESCE(OCTET_LENGTH(metadata), 0) AS bytes
        FROM memory_versions
    ) AS texts
    GROUP BY org_id, author_id, scope, team_id
) AS stored
WHERE memory_partitions.org_id = stored.org_id AND memory_partitions.author_id = stored.author_id
    AND memory_partitions.scope = stored.scope AND memory_partitions.team_id = stored.team_id;
