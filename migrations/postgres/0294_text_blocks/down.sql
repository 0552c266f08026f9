ALTER TABLE orgs DROP COLUMN episodes_bound;
DROP TABLE episode_changes;
DROP TABLE text_progress;
DROP TABLE text_workspaces;
DROP TABLE text_blocks;
