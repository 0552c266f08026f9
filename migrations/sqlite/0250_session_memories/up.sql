-- Whether a memory ends with its session.
ALTER TABLE memories ADD COLUMN session_only INTEGER NOT NULL DEFAULT 0 CHECK (session_only IN (0, 1));
ALTER TABLE memory_versions ADD COLUMN session_only INTEGER NOT NULL DEFAULT 0 CHECK (session_only IN (0, 1));

-- The memories that end with a session, and the latest write of each session.
CREATE INDEX memories_of_session ON memories (org_id, author_id, session_id, updated_at)
    WHERE session_only = 1 AND content IS NOT NULL;
CREATE INDEX episodes_by_session ON episodes (org_id, workspace_id, session_id, created_at) WHERE session_id IS NOT NULL;
