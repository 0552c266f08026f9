ALTER TABLE pages DROP COLUMN claims;
ALTER TABLE memory_versions DROP COLUMN claims;
ALTER TABLE memories DROP COLUMN claims;
