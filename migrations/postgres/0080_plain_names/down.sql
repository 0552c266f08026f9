ALTER INDEX audit_ranges_pkey RENAME TO access_stretches_pkey;
ALTER INDEX pending_memories_pkey RENAME TO held_memories_pkey;
ALTER INDEX memory_partitions_pkey RENAME TO shelves_pkey;
ALTER INDEX pending_memories_by_subject RENAME TO held_memories_by_subject;
ALTER INDEX pending_memories_by_workspace RENAME TO held_memories_by_workspace;
ALTER INDEX pending_memories_by_memory RENAME TO held_memories_by_memory;
ALTER INDEX profiles_by_org_version RENAME TO profiles_by_change;
ALTER INDEX memory_index_by_org_version RENAME TO memory_index_by_change;

ALTER TABLE profiles RENAME COLUMN org_version TO change;
ALTER TABLE embeddings RENAME COLUMN org_version TO change;
ALTER TABLE memory_index RENAME COLUMN org_version TO change;
ALTER TABLE memories RENAME COLUMN org_version TO change;

ALTER TABLE audit_ranges RENAME TO access_stretches;
ALTER TABLE pending_memories RENAME TO held_memories;
ALTER TABLE memory_partitions RENAME TO shelves;
