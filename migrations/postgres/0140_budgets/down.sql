ALTER TABLE memory_partitions DROP COLUMN bytes;
DROP TABLE budgets;
