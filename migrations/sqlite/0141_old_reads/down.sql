DROP INDEX access_seals_with_reads;
ALTER TABLE access_seals DROP COLUMN removed;
