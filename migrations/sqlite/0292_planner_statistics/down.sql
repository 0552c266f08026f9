DROP TABLE sqlite_stat1;
DROP TABLE IF EXISTS sqlite_stat4;
DROP INDEX memory_versions_by_author;
CREATE INDEX memory_versions_by_author ON memory_versions (org_id, author_id);
DROP INDEX document_passages_by_author;
CREATE INDEX document_passages_by_author ON document_passages (org_id, author_id);
