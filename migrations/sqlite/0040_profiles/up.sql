-- Profiles: how a workspace remembers. A workspace without a row has a default profile that changes nothing.
CREATE TABLE profiles (
    org_id            BLOB    NOT NULL,
    id                BLOB    NOT NULL,
    workspace_id      BLOB    NOT NULL,
    name              TEXT    NOT NULL,
    is_default        INTEGER NOT NULL,
    isolation         TEXT    NOT NULL CHECK (isolation IN ('tree', 'team', 'isolated')),
    excluded_kinds    TEXT    NOT NULL,
    max_age_seconds   INTEGER,
    max_entries       INTEGER,
    strategy          TEXT    NOT NULL CHECK (strategy IN ('confidence', 'recent', 'relevance', 'off')),
    inject_limit      INTEGER NOT NULL,
    inject_scopes     TEXT    NOT NULL,
    min_confidence    REAL,
    token_budget      INTEGER,
    seed_count        INTEGER NOT NULL,
    change            INTEGER NOT NULL,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    -- set while something may be there that is to be kept no longer
    retention_due_at  INTEGER,
    PRIMARY KEY (org_id, id)
) STRICT;

CREATE UNIQUE INDEX profiles_by_name ON profiles (org_id, workspace_id, name);
CREATE UNIQUE INDEX profiles_default ON profiles (org_id, workspace_id) WHERE is_default = 1;
CREATE INDEX profiles_by_change ON profiles (org_id, change);
CREATE INDEX profiles_due ON profiles (retention_due_at) WHERE retention_due_at IS NOT NULL;

-- None: the profile that is the default now.
ALTER TABLE memories ADD COLUMN profile_id BLOB;
CREATE INDEX memories_by_profile ON memories (org_id, profile_id) WHERE profile_id IS NOT NULL;

-- The group that last changed a profile; 0 where there never was one.
ALTER TABLE orgs ADD COLUMN profile_version INTEGER NOT NULL DEFAULT 0;
