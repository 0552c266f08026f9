DROP TABLE workspaces;
DROP TABLE workspace_orgs;
DROP TABLE orgs;
