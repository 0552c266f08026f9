-- The job that writes segments looks for removed content in each of its steps, beyond a backlog of any length.
CREATE INDEX memory_index_purged ON memory_index (org_id, org_version) WHERE doc IS NULL AND folded = '';
