-- What was done, for those who watch: written with it, kept for a while. `seq` counts the rows of an org without a gap,
-- in the order of their commits. It has no content: what a memory says is looked up when it is told. With a scope it
-- is for whoever can read that shelf of the workspace's, otherwise for the workspace itself and who watches over it.
ALTER TABLE orgs ADD COLUMN event_seq BIGINT NOT NULL DEFAULT 0;

CREATE TABLE events (
    org_id        UUID        NOT NULL,
    seq           BIGINT      NOT NULL,
    at            TIMESTAMPTZ NOT NULL,
    kind          TEXT        NOT NULL COLLATE "C",
    workspace_id  UUID        NOT NULL,
    memory_id     UUID,
    scope         TEXT        COLLATE "C",
    team_id       UUID,
    details       TEXT        NOT NULL COLLATE "C",
    PRIMARY KEY (org_id, seq)
);
