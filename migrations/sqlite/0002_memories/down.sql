DROP TABLE memory_index;
DROP TABLE memories;
DROP TABLE shelves;
