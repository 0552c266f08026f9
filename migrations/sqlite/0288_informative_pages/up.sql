-- Long pages select their lines in another way, so all pages are written again.
INSERT INTO page_work
    SELECT org_id, workspace_id, subject, thread, zeroblob(16), 0 FROM pages WHERE true
    GROUP BY org_id, workspace_id, subject, thread
    ON CONFLICT (org_id, workspace_id, subject, thread) DO UPDATE SET mark = excluded.mark, due_at = excluded.due_at;
