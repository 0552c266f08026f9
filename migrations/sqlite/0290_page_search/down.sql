DELETE FROM memory_index WHERE scope = 'LOCAL_PAGES';
DELETE FROM memory_segments WHERE scope = 'LOCAL_PAGES';
DELETE FROM memory_partitions WHERE scope = 'LOCAL_PAGES';
