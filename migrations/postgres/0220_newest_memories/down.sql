DROP INDEX memory_index_by_org_expiry;
DROP INDEX memories_newest;
