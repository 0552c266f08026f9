DROP TABLE access_seals;
DROP TABLE access_log;
ALTER TABLE orgs DROP COLUMN sealed_seq;
ALTER TABLE orgs DROP COLUMN access_seq;
