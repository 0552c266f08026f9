UPDATE memory_index SET model = NULL, vector = NULL WHERE model IS NOT NULL;
DELETE FROM embeddings;
