DROP TABLE revocations;
DROP TABLE tokens;
