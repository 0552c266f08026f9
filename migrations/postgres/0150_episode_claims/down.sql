ALTER TABLE episodes DROP COLUMN claims;
ALTER TABLE episodes DROP COLUMN salience;
