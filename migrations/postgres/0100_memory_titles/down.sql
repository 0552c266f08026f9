ALTER TABLE memories DROP COLUMN title;
ALTER TABLE memory_versions DROP COLUMN title;
