ALTER TABLE memory_versions DROP COLUMN expiry_rule;
ALTER TABLE memories DROP COLUMN expiry_rule;
