-- How important an episode is, from 0 to 1, and what it states about records, as a JSON array.
ALTER TABLE episodes ADD COLUMN salience DOUBLE PRECISION;
ALTER TABLE episodes ADD COLUMN claims TEXT COLLATE "C";
