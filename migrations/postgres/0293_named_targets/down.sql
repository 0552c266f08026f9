DROP INDEX episodes_by_target;
CREATE INDEX episodes_by_target ON episodes (org_id, workspace_id, target_id) WHERE target_id IS NOT NULL;
ALTER TABLE episodes DROP COLUMN names_target;
