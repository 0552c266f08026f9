DROP TABLE memory_versions;
