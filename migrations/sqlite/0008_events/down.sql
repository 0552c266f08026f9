DROP TABLE events;
ALTER TABLE orgs DROP COLUMN event_seq;
