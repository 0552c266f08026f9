-- Skills: packages made of versions of procedures. The package itself is not stored: it is made of the sources whenever it is
-- read. A withdrawal for the sake of removed content deletes the versions, and replaces the name.
CREATE TABLE skills (
    org_id          UUID        NOT NULL,
    id              UUID        NOT NULL,
    workspace_id    UUID        NOT NULL,
    name            TEXT        NOT NULL COLLATE "C",
    scope           TEXT        NOT NULL COLLATE "C",
    team_id         UUID        NOT NULL,
    status          TEXT        NOT NULL COLLATE "C",
    active_version  BIGINT,
    draft_version   BIGINT,
    last_version    BIGINT      NOT NULL,
    failing         BOOLEAN     NOT NULL,
    reason          TEXT        COLLATE "C",
    created_at      TIMESTAMPTZ NOT NULL,
    updated_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX skills_by_name ON skills (org_id, workspace_id, name);

-- The versions of a skill. `sources` are the ids of memories with their versions, 24 bytes each; `evidence` is JSON.
CREATE TABLE skill_versions (
    org_id          UUID        NOT NULL,
    skill_id        UUID        NOT NULL,
    version         BIGINT      NOT NULL,
    description     TEXT        NOT NULL COLLATE "C",
    sources         BYTEA       NOT NULL,
    drafted_by      TEXT        NOT NULL COLLATE "C",
    drafted_at      TIMESTAMPTZ NOT NULL,
    approved_by     TEXT        COLLATE "C",
    approved_at     TIMESTAMPTZ,
    is_auto         BOOLEAN     NOT NULL,
    evidence        TEXT        NOT NULL COLLATE "C",
    PRIMARY KEY (org_id, skill_id, version)
);

-- The skills of each memory.
CREATE TABLE skill_sources (
    org_id          UUID        NOT NULL,
    memory_id       UUID        NOT NULL,
    skill_id        UUID        NOT NULL,
    PRIMARY KEY (org_id, memory_id, skill_id)
);

-- The rule of an org as JSON, where it is not the default.
CREATE TABLE skill_rules (
    org_id          UUID        NOT NULL,
    workspace_id    UUID        NOT NULL,
    rule            TEXT        NOT NULL COLLATE "C",
    PRIMARY KEY (org_id, workspace_id)
);
