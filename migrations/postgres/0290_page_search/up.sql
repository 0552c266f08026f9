-- Searches find pages. The next compaction of a thread writes the index entries of its pages.
INSERT INTO page_work (org_id, workspace_id, subject, thread, mark, due_at)
    SELECT org_id, workspace_id, subject, thread, '00000000-0000-0000-0000-000000000000', 'epoch'
    FROM pages WHERE tier <> 'cold' GROUP BY org_id, workspace_id, subject, thread
    ON CONFLICT (org_id, workspace_id, subject, thread) DO NOTHING;
