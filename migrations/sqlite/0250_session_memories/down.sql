DROP INDEX episodes_by_session;
DROP INDEX memories_of_session;
ALTER TABLE memory_versions DROP COLUMN session_only;
ALTER TABLE memories DROP COLUMN session_only;
