DROP TABLE document_passages;
DROP TABLE document_versions;
DROP TABLE documents;
DELETE FROM memory_index WHERE scope LIKE '%\_PASSAGES' ESCAPE '\';
DELETE FROM memory_segments WHERE scope LIKE '%\_PASSAGES' ESCAPE '\';
DELETE FROM memory_partitions WHERE scope LIKE '%\_PASSAGES' ESCAPE '\';
