DROP TABLE segment_progress;
DROP TABLE memory_segments;
