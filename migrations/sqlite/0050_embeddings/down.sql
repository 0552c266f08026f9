DROP TABLE embeddings;
ALTER TABLE memory_index DROP COLUMN vector;
ALTER TABLE memory_index DROP COLUMN model;
