DROP INDEX memory_index_purged;
