-- Tables, columns and indexes take the names that the code uses: partitions of memories, pending memories of runs, sealed
-- ranges of the access log, and the version of the org in which a row was last changed.
ALTER TABLE shelves RENAME TO memory_partitions;
ALTER TABLE held_memories RENAME TO pending_memories;
ALTER TABLE access_stretches RENAME TO audit_ranges;

ALTER TABLE memories RENAME COLUMN change TO org_version;
ALTER TABLE memory_index RENAME COLUMN change TO org_version;
ALTER TABLE embeddings RENAME COLUMN change TO org_version;
ALTER TABLE profiles RENAME COLUMN change TO org_version;

-- SQLite cannot rename an index.
DROP INDEX memory_index_by_change;
CREATE INDEX memory_index_by_org_version ON memory_index (org_id, org_version);
DROP INDEX profiles_by_change;
CREATE INDEX profiles_by_org_version ON profiles (org_id, org_version);
DROP INDEX held_memories_by_memory;
CREATE INDEX pending_memories_by_memory ON pending_memories (org_id, memory_id);
DROP INDEX held_memories_by_workspace;
CREATE INDEX pending_memories_by_workspace ON pending_memories (org_id, workspace_id);
DROP INDEX held_memories_by_subject;
CREATE INDEX pending_memories_by_subject ON pending_memories (org_id, subject) WHERE subject IS NOT NULL;
