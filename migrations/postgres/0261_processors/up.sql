-- Processors: definitions that distil the rows of a collection into facts. Rows with a `seq` up to `read_seq` are assigned to
-- groups. `claim` is the run that works on it until `claimed_until`.
CREATE TABLE processors (
    org_id         UUID NOT NULL,
    workspace_id   UUID NOT NULL,
    name           TEXT NOT NULL COLLATE "C",
    collection     TEXT NOT NULL COLLATE "C",
    definition     TEXT NOT NULL COLLATE "C",
    revision       BIGINT NOT NULL,
    read_seq       BIGINT NOT NULL,
    due_at         TIMESTAMPTZ NOT NULL,
    claim          UUID,
    claimed_until  TIMESTAMPTZ,
    last_run_at    TIMESTAMPTZ,
    created_at     TIMESTAMPTZ NOT NULL,
    updated_at     TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, workspace_id, name)
);
CREATE INDEX processors_by_time ON processors (due_at);

-- The group and severity of each row that a processor has read and that belongs to one.
CREATE TABLE processor_rows (
    org_id        UUID NOT NULL,
    workspace_id  UUID NOT NULL,
    processor     TEXT NOT NULL COLLATE "C",
    key           TEXT NOT NULL COLLATE "C",
    group_id      TEXT NOT NULL COLLATE "C",
    severity      BIGINT NOT NULL,
    row_time      TIMESTAMPTZ,
    PRIMARY KEY (org_id, workspace_id, processor, key)
);
CREATE INDEX processor_rows_by_group ON processor_rows (org_id, workspace_id, processor, group_id, key);

-- Groups with rows or with a fact. `touched` is the number of the last change that the fact does not show yet, or 0.
CREATE TABLE processor_groups (
    org_id        UUID NOT NULL,
    workspace_id  UUID NOT NULL,
    processor     TEXT NOT NULL COLLATE "C",
    group_id      TEXT NOT NULL COLLATE "C",
    dimensions    TEXT NOT NULL COLLATE "C",
    touched       BIGINT NOT NULL,
    memory_id     UUID,
    fingerprint   TEXT COLLATE "C",
    PRIMARY KEY (org_id, workspace_id, processor, group_id)
);
CREATE INDEX processor_groups_touched ON processor_groups (org_id, workspace_id, processor, touched) WHERE touched > 0;

-- What the last runs of each processor did.
CREATE TABLE processor_runs (
    org_id        UUID NOT NULL,
    workspace_id  UUID NOT NULL,
    processor     TEXT NOT NULL COLLATE "C",
    id            UUID NOT NULL,
    cause         TEXT NOT NULL COLLATE "C",
    started_at    TIMESTAMPTZ NOT NULL,
    ended_at      TIMESTAMPTZ NOT NULL,
    rows_read     BIGINT NOT NULL,
    grouped       BIGINT NOT NULL,
    inserted      BIGINT NOT NULL,
    updated       BIGINT NOT NULL,
    rolled_back   BIGINT NOT NULL,
    untouched     BIGINT NOT NULL,
    cut_texts     BIGINT NOT NULL,
    capped        TEXT COLLATE "C",
    error         TEXT COLLATE "C",
    PRIMARY KEY (org_id, workspace_id, processor, id)
);
