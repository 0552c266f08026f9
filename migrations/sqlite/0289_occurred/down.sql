ALTER TABLE episodes DROP COLUMN recorded_at;
