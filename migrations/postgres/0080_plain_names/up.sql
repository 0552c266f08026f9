-- Tables, columns and indexes take the names that the code uses: partitions of memories, pending memories of runs, sealed
-- ranges of the access log, and the version of the org in which a row was last changed.
ALTER TABLE shelves RENAME TO memory_partitions;
ALTER TABLE held_memories RENAME TO pending_memories;
ALTER TABLE access_stretches RENAME TO audit_ranges;

ALTER TABLE memories RENAME COLUMN change TO org_version;
ALTER TABLE memory_index RENAME COLUMN change TO org_version;
ALTER TABLE embeddings RENAME COLUMN change TO org_version;
ALTER TABLE profiles RENAME COLUMN change TO org_version;

ALTER INDEX memory_index_by_change RENAME TO memory_index_by_org_version;
ALTER INDEX profiles_by_change RENAME TO profiles_by_org_version;
ALTER INDEX held_memories_by_memory RENAME TO pending_memories_by_memory;
ALTER INDEX held_memories_by_workspace RENAME TO pending_memories_by_workspace;
ALTER INDEX held_memories_by_subject RENAME TO pending_memories_by_subject;
ALTER INDEX shelves_pkey RENAME TO memory_partitions_pkey;
ALTER INDEX held_memories_pkey RENAME TO pending_memories_pkey;
ALTER INDEX access_stretches_pkey RENAME TO audit_ranges_pkey;
