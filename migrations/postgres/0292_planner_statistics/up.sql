-- PostgreSQL collects statistics itself.

-- Exports of a workspace read these rows page by page in the order of the key, which the indexes now have.
DROP INDEX memory_versions_by_author;
CREATE INDEX memory_versions_by_author ON memory_versions (org_id, author_id, memory_id, version);
DROP INDEX document_passages_by_author;
CREATE INDEX document_passages_by_author ON document_passages (org_id, author_id, id);
