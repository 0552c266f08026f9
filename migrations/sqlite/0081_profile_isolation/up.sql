-- The isolation `profile`: a workspace reads only its own memories of the profile. SQLite cannot change a constraint.
CREATE TABLE profiles_rebuilt (
    org_id            BLOB    NOT NULL,
    id                BLOB    NOT NULL,
    workspace_id      BLOB    NOT NULL,
    name              TEXT    NOT NULL,
    is_default        INTEGER NOT NULL,
    isolation         TEXT    NOT NULL CHECK (isolation IN ('tree', 'team', 'isolated', 'profile')),
    excluded_kinds    TEXT    NOT NULL,
    max_age_seconds   INTEGER,
    max_entries       INTEGER,
    strategy          TEXT    NOT NULL CHECK (strategy IN ('confidence', 'recent', 'relevance', 'off')),
    inject_limit      INTEGER NOT NULL,
    inject_scopes     TEXT    NOT NULL,
    min_confidence    REAL,
    token_budget      INTEGER,
    seed_count        INTEGER NOT NULL,
    org_version       INTEGER NOT NULL,
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    -- set while stored memories may exceed the retention
    retention_due_at  INTEGER,
    PRIMARY KEY (org_id, id)
) STRICT;

INSERT INTO profiles_rebuilt (org_id, id, workspace_id, name, is_default, isolation, excluded_kinds, max_age_seconds, max_entries, strategy, inject_limit,
    inject_scopes, min_confidence, token_budget, seed_count, org_version, created_at, updated_at, retention_due_at)
SELECT org_id, id, workspace_id, name, is_default, isolation, excluded_kinds, max_age_seconds, max_entries, strategy, inject_limit,
    inject_scopes, min_confidence, token_budget, seed_count, org_version, created_at, updated_at, retention_due_at
FROM profiles;

DROP TABLE profiles;
ALTER TABLE profiles_rebuilt RENAME TO profiles;

CREATE UNIQUE INDEX profiles_by_name ON profiles (org_id, workspace_id, name);
CREATE UNIQUE INDEX profiles_default ON profiles (org_id, workspace_id) WHERE is_default = 1;
CREATE INDEX profiles_by_org_version ON profiles (org_id, org_version);
CREATE INDEX profiles_due ON profiles (retention_due_at) WHERE retention_due_at IS NOT NULL;
