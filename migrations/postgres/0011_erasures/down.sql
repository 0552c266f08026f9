ALTER TABLE idempotency_keys DROP COLUMN workspace_id;
DROP TABLE erasures;
DROP TABLE redactions;
DROP INDEX memory_versions_by_subject;
DROP INDEX memories_by_subject;
