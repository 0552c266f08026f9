DROP TABLE record_fields;
DROP TABLE records;
