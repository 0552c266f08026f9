DROP TABLE memory_uses;
