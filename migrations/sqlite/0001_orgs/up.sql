-- The row of an org is its lock and its clock: every group of writes adds one to `version`,
-- and the rows that it changes carry that number. The nil org is the server itself.
CREATE TABLE orgs (
    org_id        BLOB    NOT NULL PRIMARY KEY,
    version       INTEGER NOT NULL,
    tree_version  INTEGER NOT NULL,
    auth_version  INTEGER NOT NULL,
    index_floor   INTEGER NOT NULL,
    last_seq      INTEGER NOT NULL,
    created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Workspace ids are unique across the server, and a workspace never changes its org.
CREATE TABLE workspace_orgs (
    id      BLOB NOT NULL PRIMARY KEY,
    org_id  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
    org_id             BLOB    NOT NULL,
    id                 BLOB    NOT NULL,
    parent_id          BLOB,
    name               TEXT    NOT NULL,
    role               TEXT,
    metadata           TEXT,
    tree_version       INTEGER NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    moved_at           INTEGER,
    removed_at         INTEGER,
    tokens_revoked_at  INTEGER,
    PRIMARY KEY (org_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX workspaces_by_parent ON workspaces (org_id, parent_id);
CREATE INDEX workspaces_by_tree_version ON workspaces (org_id, tree_version);
CREATE INDEX workspaces_by_creation ON workspaces (created_at, org_id, id);
CREATE INDEX workspaces_of_org_by_creation ON workspaces (org_id, created_at, id);
CREATE INDEX roots_by_name ON workspaces (name) WHERE parent_id IS NULL;
CREATE INDEX workspaces_with_revoked_tokens ON workspaces (org_id) WHERE tokens_revoked_at IS NOT NULL;

INSERT INTO orgs VALUES (zeroblob(16), 0, 0, 0, 0, 0, 0);
