-- Where the rows of a workspace are: one row for each stretch of the sealed log that has some. It takes the place of an
-- index with an entry for every row of the log, most of which are of reads; it is written by who seals.
CREATE TABLE access_stretches (
    org_id        BLOB    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    first_seq     INTEGER NOT NULL,
    last_seq      INTEGER NOT NULL,
    PRIMARY KEY (org_id, workspace_id, first_seq)
) STRICT, WITHOUT ROWID;

INSERT INTO access_stretches (org_id, workspace_id, first_seq, last_seq)
SELECT DISTINCT rows.org_id, rows.workspace_id, seals.first_seq, seals.last_seq
FROM access_seals AS seals
CROSS JOIN access_log AS rows ON rows.org_id = seals.org_id AND rows.seq BETWEEN seals.first_seq AND seals.last_seq;

DROP INDEX access_log_by_workspace;
