-- Whether an episode may have the kind or the session of its target, which leave it with the content of the target. Most never
-- have: a search of 100,000 times names its best memory each time, and the memory's deletion should read none of them.
ALTER TABLE episodes ADD COLUMN names_target BOOLEAN NOT NULL DEFAULT TRUE;
DROP INDEX episodes_by_target;
CREATE INDEX episodes_by_target ON episodes (org_id, workspace_id, target_id) WHERE names_target AND target_id IS NOT NULL;
