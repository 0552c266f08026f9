-- The rule that set or caused the expiry of a memory or of a version; null where none is set, or for rows of before.
ALTER TABLE memories ADD COLUMN expiry_rule TEXT;
ALTER TABLE memory_versions ADD COLUMN expiry_rule TEXT;
