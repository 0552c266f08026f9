DROP TABLE processor_runs;
DROP TABLE processor_groups;
DROP TABLE processor_rows;
DROP TABLE processors;
