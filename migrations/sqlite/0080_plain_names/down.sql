DROP INDEX pending_memories_by_subject;
DROP INDEX pending_memories_by_workspace;
DROP INDEX pending_memories_by_memory;
DROP INDEX profiles_by_org_version;
DROP INDEX memory_index_by_org_version;

ALTER TABLE profiles RENAME COLUMN org_version TO change;
ALTER TABLE embeddings RENAME COLUMN org_version TO change;
ALTER TABLE memory_index RENAME COLUMN org_version TO change;
ALTER TABLE memories RENAME COLUMN org_version TO change;

ALTER TABLE audit_ranges RENAME TO access_stretches;
ALTER TABLE pending_memories RENAME TO held_memories;
ALTER TABLE memory_partitions RENAME TO shelves;

CREATE INDEX memory_index_by_change ON memory_index (org_id, change);
CREATE INDEX profiles_by_change ON profiles (org_id, change);
CREATE INDEX held_memories_by_memory ON held_memories (org_id, memory_id);
CREATE INDEX held_memories_by_workspace ON held_memories (org_id, workspace_id);
CREATE INDEX held_memories_by_subject ON held_memories (org_id, subject) WHERE subject IS NOT NULL;
