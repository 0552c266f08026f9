ALTER TABLE profiles DROP COLUMN page_scope;
