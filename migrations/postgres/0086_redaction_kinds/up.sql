-- The kind of a redacted memory, which decides with the profile of a reader whether it gets the tombstone; null where no
-- reader could read the memory when it was redacted, and for redactions of before.
ALTER TABLE redactions ADD COLUMN kind TEXT;
CREATE INDEX redactions_by_time ON redactions (org_id, redacted_at, memory_id);
