-- Skills: packages made of versions of procedures. The package itself is not stored: it is made of the sources whenever it is
-- read. A withdrawal for the sake of removed content deletes the versions, and replaces the name.
CREATE TABLE skills (
    org_id          BLOB    NOT NULL,
    id              BLOB    NOT NULL,
    workspace_id    BLOB    NOT NULL,
    name            TEXT    NOT NULL,
    scope           TEXT    NOT NULL,
    team_id         BLOB    NOT NULL,
    status          TEXT    NOT NULL,
    active_version  INTEGER,
    draft_version   INTEGER,
    last_version    INTEGER NOT NULL,
    failing         INTEGER NOT NULL,
    reason          TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    PRIMARY KEY (org_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX skills_by_name ON skills (org_id, workspace_id, name);

-- The versions of a skill. `sources` are the ids of memories with their versions, 24 bytes each; `evidence` is JSON.
CREATE TABLE skill_versions (
    org_id          BLOB    NOT NULL,
    skill_id        BLOB    NOT NULL,
    version         INTEGER NOT NULL,
    description     TEXT    NOT NULL,
    sources         BLOB    NOT NULL,
    drafted_by      TEXT    NOT NULL,
    drafted_at      INTEGER NOT NULL,
    approved_by     TEXT,
    approved_at     INTEGER,
    is_auto         INTEGER NOT NULL,
    evidence        TEXT    NOT NULL,
    PRIMARY KEY (org_id, skill_id, version)
) STRICT, WITHOUT ROWID;

-- The skills of each memory.
CREATE TABLE skill_sources (
    org_id          BLOB    NOT NULL,
    memory_id       BLOB    NOT NULL,
    skill_id        BLOB    NOT NULL,
    PRIMARY KEY (org_id, memory_id, skill_id)
) STRICT, WITHOUT ROWID;

-- The rule of an org as JSON, where it is not the default.
CREATE TABLE skill_rules (
    org_id          BLOB    NOT NULL,
    workspace_id    BLOB    NOT NULL,
    rule            TEXT    NOT NULL,
    PRIMARY KEY (org_id, workspace_id)
) STRICT, WITHOUT ROWID;
