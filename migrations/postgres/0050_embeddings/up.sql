-- What a memory means, by which model. Beside the words in the same row, so that what takes the row out of the index takes
-- this with it. A row that a model could make nothing of has the model and no vector.
ALTER TABLE memory_index ADD COLUMN model integer;
ALTER TABLE memory_index ADD COLUMN vector bytea;

-- How far each model has come in an org: index rows of changes up to `change` are embedded by it. There is no queue to lose
-- anything: what waits is what the index has beyond.
CREATE TABLE embeddings (
    org_id      uuid    NOT NULL,
    model       integer NOT NULL,
    name        text    NOT NULL,
    dimensions  integer NOT NULL,
    change      bigint  NOT NULL,
    PRIMARY KEY (org_id, model)
);
