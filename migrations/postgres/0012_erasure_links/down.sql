ALTER TABLE erasures DROP COLUMN access_seq;
