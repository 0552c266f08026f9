-- Finds the episodes of the server about a memory, from which a redaction removes its kind and session.
CREATE INDEX episodes_by_target ON episodes (org_id, workspace_id, target_id) WHERE target_id IS NOT NULL;
