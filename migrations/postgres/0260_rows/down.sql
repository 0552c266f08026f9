DROP TABLE collection_rows;
DROP TABLE collections;
