-- Lists of memories, newest first, by partition. Pinned ones have an index of their own.
CREATE INDEX memories_newest ON memories (org_id, author_id, scope, team_id, created_at, id)
    WHERE status = 'live' AND pin = 0;

-- Counts subtract the memories of an org that expired and await the sweep.
CREATE INDEX memory_index_by_org_expiry ON memory_index (org_id, expires_at, author_id, scope, team_id)
    WHERE expires_at IS NOT NULL;
