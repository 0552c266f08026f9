-- A memory has a vector for each of its parts: `vector` begins with how many there are. Those of before are made anew.
UPDATE memory_index SET model = NULL, vector = NULL WHERE model IS NOT NULL;
DELETE FROM embeddings;
