CREATE INDEX access_log_by_workspace ON access_log (org_id, workspace_id, seq);
DROP TABLE access_stretches;
