-- What was done, for those who watch: written with it, kept for a while. `seq` counts the rows of an org without a gap,
-- in the order of their commits. It has no content: what a memory says is looked up when it is told. With a scope it
-- is for whoever can read that shelf of the workspace's, otherwise for the workspace itself and who watches over it.
ALTER TABLE orgs ADD COLUMN event_seq INTEGER NOT NULL DEFAULT 0;

CREATE TABLE events (
    org_id        BLOB    NOT NULL,
    seq           INTEGER NOT NULL,
    at            INTEGER NOT NULL,
    kind          TEXT    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    memory_id     BLOB,
    scope         TEXT,
    team_id       BLOB,
    details       TEXT    NOT NULL,
    PRIMARY KEY (org_id, seq)
) STRICT, WITHOUT ROWID;
