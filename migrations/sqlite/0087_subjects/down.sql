DROP INDEX entries_by_subject;
DROP INDEX episodes_by_subject;
ALTER TABLE entries DROP COLUMN subject;
ALTER TABLE episodes DROP COLUMN redacted_at;
ALTER TABLE episodes DROP COLUMN superseded_by;
ALTER TABLE episodes DROP COLUMN subject;
