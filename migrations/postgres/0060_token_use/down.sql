ALTER TABLE tokens DROP COLUMN last_used_at;
