-- The numbers of the rows of a sealed range that were deleted as old reads, eight bytes each; their hashes remain. NULL in a
-- range that was not looked through yet.
ALTER TABLE access_seals ADD COLUMN removed BYTEA;
CREATE INDEX access_seals_with_reads ON access_seals (org_id, first_seq) WHERE removed IS NULL;
