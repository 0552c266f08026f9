-- The row of an org is its lock and its clock: every group of writes adds one to `version`,
-- and the rows that it changes carry that number. The nil org is the server itself.
CREATE TABLE orgs (
    org_id        UUID        NOT NULL PRIMARY KEY,
    version       BIGINT      NOT NULL,
    tree_version  BIGINT      NOT NULL,
    auth_version  BIGINT      NOT NULL,
    index_floor   BIGINT      NOT NULL,
    last_seq      BIGINT      NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 50);

-- Workspace ids are unique across the server, and a workspace never changes its org.
CREATE TABLE workspace_orgs (
    id      UUID NOT NULL PRIMARY KEY,
    org_id  UUID NOT NULL
);

CREATE TABLE workspaces (
    org_id             UUID        NOT NULL,
    id                 UUID        NOT NULL,
    parent_id          UUID,
    name               TEXT        NOT NULL COLLATE "C",
    role               TEXT        COLLATE "C",
    metadata           TEXT        COLLATE "C",
    tree_version       BIGINT      NOT NULL,
    created_at         TIMESTAMPTZ NOT NULL,
    updated_at         TIMESTAMPTZ NOT NULL,
    moved_at           TIMESTAMPTZ,
    removed_at         TIMESTAMPTZ,
    tokens_revoked_at  TIMESTAMPTZ,
    PRIMARY KEY (org_id, id)
);

CREATE INDEX workspaces_by_parent ON workspaces (org_id, parent_id);
CREATE INDEX workspaces_by_tree_version ON workspaces (org_id, tree_version);
CREATE INDEX workspaces_by_creation ON workspaces (created_at, org_id, id);
CREATE INDEX workspaces_of_org_by_creation ON workspaces (org_id, created_at, id);
CREATE INDEX roots_by_name ON workspaces (name) WHERE parent_id IS NULL;
CREATE INDEX workspaces_with_revoked_tokens ON workspaces (org_id) WHERE tokens_revoked_at IS NOT NULL;

INSERT INTO orgs VALUES ('00000000-0000-0000-0000-000000000000', 0, 0, 0, 0, 0, to_timestamp(0));
