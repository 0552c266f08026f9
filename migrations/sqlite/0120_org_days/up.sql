-- Operations of an org by day, counted with the rows of its audit log. `day` counts the days since 1970 in UTC. Days before
-- this migration have no row.
CREATE TABLE org_days (
    org_id          BLOB    NOT NULL,
    day             INTEGER NOT NULL,
    memories        INTEGER NOT NULL,
    writes          INTEGER NOT NULL,
    agent_reads     INTEGER NOT NULL,
    people_reads    INTEGER NOT NULL,
    PRIMARY KEY (org_id, day)
) STRICT, WITHOUT ROWID;
