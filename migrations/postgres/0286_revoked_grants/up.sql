-- A revoked grant remains as a row without texts, so that a restored backup does not have it again.
ALTER TABLE grants ADD COLUMN revoked_at TIMESTAMPTZ;
