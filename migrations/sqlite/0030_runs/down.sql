DROP TABLE held_memories;
DROP TABLE runs;
