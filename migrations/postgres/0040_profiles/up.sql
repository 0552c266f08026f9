-- Profiles: how a workspace remembers. A workspace without a row has a default profile that changes nothing.
CREATE TABLE profiles (
    org_id            UUID    NOT NULL,
    id                UUID    NOT NULL,
    workspace_id      UUID    NOT NULL,
    name              TEXT    NOT NULL COLLATE "C",
    is_default        BOOLEAN NOT NULL,
    isolation         TEXT    NOT NULL COLLATE "C" CHECK (isolation IN ('tree', 'team', 'isolated')),
    excluded_kinds    TEXT    NOT NULL COLLATE "C",
    max_age_seconds   BIGINT,
    max_entries       BIGINT,
    strategy          TEXT    NOT NULL COLLATE "C" CHECK (strategy IN ('confidence', 'recent', 'relevance', 'off')),
    inject_limit      BIGINT  NOT NULL,
    inject_scopes     TEXT    NOT NULL COLLATE "C",
    min_confidence    DOUBLE PRECISION,
    token_budget      BIGINT,
    seed_count        BIGINT  NOT NULL,
    change            BIGINT  NOT NULL,
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL,
    -- set while something may be there that is to be kept no longer
    retention_due_at  TIMESTAMPTZ,
    PRIMARY KEY (org_id, id)
);

CREATE UNIQUE INDEX profiles_by_name ON profiles (org_id, workspace_id, name);
CREATE UNIQUE INDEX profiles_default ON profiles (org_id, workspace_id) WHERE is_default;
CREATE INDEX profiles_by_change ON profiles (org_id, change);
CREATE INDEX profiles_due ON profiles (retention_due_at) WHERE retention_due_at IS NOT NULL;

-- None: the profile that is the default now.
ALTER TABLE memories ADD COLUMN profile_id UUID;
CREATE INDEX memories_by_profile ON memories (org_id, profile_id) WHERE profile_id IS NOT NULL;

-- The group that last changed a profile; 0 where there never was one.
ALTER TABLE orgs ADD COLUMN profile_version BIGINT NOT NULL DEFAULT 0;
