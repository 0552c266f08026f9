-- Uses of procedures, for each version: one row for a run that read it, or for a report of a workspace without a run. `voice`
-- is the run or the workspace; `session` is a hash. `outcome` is that of the run, `none` if its end says nothing, and
-- NULL while it is open; `reported` is what a caller reported.
CREATE TABLE memory_uses (
    org_id          UUID        NOT NULL,
    memory_id       UUID        NOT NULL,
    version         BIGINT      NOT NULL,
    voice           UUID        NOT NULL,
    workspace_id    UUID        NOT NULL,
    session         UUID        NOT NULL,
    read_at         TIMESTAMPTZ NOT NULL,
    ended_at        TIMESTAMPTZ,
    outcome         TEXT        COLLATE "C",
    reported        TEXT        COLLATE "C",
    note            TEXT        COLLATE "C",
    PRIMARY KEY (org_id, memory_id, version, voice)
);
CREATE INDEX memory_uses_by_voice ON memory_uses (org_id, voice);
CREATE INDEX memory_uses_by_workspace ON memory_uses (org_id, workspace_id);
