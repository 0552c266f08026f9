-- The time of the append, where its author declared when the activity happened, which is then `created_at`.
ALTER TABLE episodes ADD COLUMN recorded_at TIMESTAMPTZ;
