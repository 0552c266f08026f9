DROP INDEX episodes_by_target;
CREATE INDEX episodes_by_target ON episodes (org_id, workspace_id, target_id) WHERE target_id IS NOT NULL;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('episodes', 'episodes_by_target', '1000000 100000 10000 5 noskipscan');
ALTER TABLE episodes DROP COLUMN names_target;
ANALYZE sqlite_schema;
