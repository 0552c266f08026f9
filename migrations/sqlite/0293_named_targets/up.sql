-- Whether an episode may have the kind or the session of its target, which leave it with the content of the target. Most never
-- have: a search of 100,000 times names its best memory each time, and the memory's deletion should read none of them.
ALTER TABLE episodes ADD COLUMN names_target INTEGER NOT NULL DEFAULT 1 CHECK (names_target IN (0, 1));
DROP INDEX episodes_by_target;
CREATE INDEX episodes_by_target ON episodes (org_id, workspace_id, target_id) WHERE names_target = 1 AND target_id IS NOT NULL;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('episodes', 'episodes_by_target', '1000000 100000 10000 5 noskipscan');
ANALYZE sqlite_schema;
