-- Operations of an org by day, counted with the rows of its audit log. `day` counts the days since 1970 in UTC. Days before
-- this migration have no row.
CREATE TABLE org_days (
    org_id          UUID   NOT NULL,
    day             BIGINT NOT NULL,
    memories        BIGINT NOT NULL,
    writes          BIGINT NOT NULL,
    agent_reads     BIGINT NOT NULL,
    people_reads    BIGINT NOT NULL,
    PRIMARY KEY (org_id, day)
);
