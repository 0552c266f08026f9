DROP INDEX redactions_by_time;
ALTER TABLE redactions DROP COLUMN kind;
