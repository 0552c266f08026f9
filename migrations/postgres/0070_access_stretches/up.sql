-- Where the rows of a workspace are: one row for each stretch of the sealed log that has some. It takes the place of an
-- index with an entry for every row of the log, most of which are of reads; it is written by who seals.
CREATE TABLE access_stretches (
    org_id        UUID   NOT NULL,
    workspace_id  UUID   NOT NULL,
    first_seq     BIGINT NOT NULL,
    last_seq      BIGINT NOT NULL,
    PRIMARY KEY (org_id, workspace_id, first_seq)
);

INSERT INTO access_stretches (org_id, workspace_id, first_seq, last_seq)
SELECT seals.org_id, rows.workspace_id, seals.first_seq, seals.last_seq
FROM access_seals AS seals
CROSS JOIN LATERAL (
    SELECT DISTINCT workspace_id FROM access_log AS rows
    WHERE rows.org_id = seals.org_id AND rows.seq BETWEEN seals.first_seq AND seals.last_seq
) AS rows;

DROP INDEX access_log_by_workspace;
