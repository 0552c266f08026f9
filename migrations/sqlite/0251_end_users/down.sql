ALTER TABLE redactions DROP COLUMN session_id;
ALTER TABLE redactions DROP COLUMN subject;
ALTER TABLE profiles DROP COLUMN sessions;
ALTER TABLE profiles DROP COLUMN subjects;
