-- Long pages select their lines in another way, so all pages are written again.
INSERT INTO page_work
    SELECT org_id, workspace_id, subject, thread, '00000000-0000-0000-0000-000000000000', 'epoch' FROM pages
    GROUP BY org_id, workspace_id, subject, thread
    ON CONFLICT (org_id, workspace_id, subject, thread) DO UPDATE SET mark = excluded.mark, due_at = excluded.due_at;
