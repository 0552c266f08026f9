ALTER TABLE orgs DROP COLUMN profile_version;
DROP INDEX memories_by_profile;
ALTER TABLE memories DROP COLUMN profile_id;
DROP TABLE profiles;
