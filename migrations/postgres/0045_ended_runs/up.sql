-- Runs that are over are kept for a while, and then found by when they ended.
CREATE INDEX runs_ended ON runs (finished_at) WHERE finished_at IS NOT NULL;
