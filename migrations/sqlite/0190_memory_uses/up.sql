-- Uses of procedures, for each version: one row for a run that read it, or for a report of a workspace without a run. `voice`
-- is the run or the workspace; `session` is a hash. `outcome` is that of the run, `none` if its end says nothing, and
-- NULL while it is open; `reported` is what a caller reported.
CREATE TABLE memory_uses (
    org_id          BLOB    NOT NULL,
    memory_id       BLOB    NOT NULL,
    version         INTEGER NOT NULL,
    voice           BLOB    NOT NULL,
    workspace_id    BLOB    NOT NULL,
    session         BLOB    NOT NULL,
    read_at         INTEGER NOT NULL,
    ended_at        INTEGER,
    outcome         TEXT,
    reported        TEXT,
    note            TEXT,
    PRIMARY KEY (org_id, memory_id, version, voice)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_uses_by_voice ON memory_uses (org_id, voice);
CREATE INDEX memory_uses_by_workspace ON memory_uses (org_id, workspace_id);
