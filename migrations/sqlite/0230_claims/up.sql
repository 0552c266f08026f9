-- What a memory, an earlier version of it and a page state about records: a JSON array.
ALTER TABLE memories ADD COLUMN claims TEXT;
ALTER TABLE memory_versions ADD COLUMN claims TEXT;
ALTER TABLE pages ADD COLUMN claims TEXT;

-- Pages made of episodes with claims are written again.
INSERT INTO page_work
    SELECT org_id, workspace_id, coalesce(subject, ''), coalesce(session_id, correlation_id), zeroblob(16), 0
    FROM episodes WHERE correlation_id IS NOT NULL AND claims IS NOT NULL
    GROUP BY org_id, workspace_id, coalesce(subject, ''), coalesce(session_id, correlation_id)
    ON CONFLICT (org_id, workspace_id, subject, thread) DO UPDATE SET mark = excluded.mark, due_at = excluded.due_at;
