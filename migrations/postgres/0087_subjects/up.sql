-- The end user that an episode or an entry is about; the correction of an episode; the redaction of an episode.
ALTER TABLE episodes ADD COLUMN subject TEXT;
ALTER TABLE episodes ADD COLUMN superseded_by UUID;
ALTER TABLE episodes ADD COLUMN redacted_at TIMESTAMPTZ;
ALTER TABLE entries ADD COLUMN subject TEXT;
CREATE INDEX episodes_by_subject ON episodes (org_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX entries_by_subject ON entries (org_id, subject) WHERE subject IS NOT NULL;
