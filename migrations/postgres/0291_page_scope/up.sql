-- Who reads the pages of a workspace, by its default profile.
ALTER TABLE profiles ADD COLUMN page_scope TEXT COLLATE "C" NOT NULL DEFAULT 'LOCAL' CHECK (page_scope IN ('LOCAL', 'TEAM', 'GLOBAL'));
