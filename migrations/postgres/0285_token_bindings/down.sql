DROP INDEX tokens_by_end_user;
ALTER TABLE tokens DROP COLUMN session_id;
ALTER TABLE tokens DROP COLUMN end_user;
