-- Reviews: differences between a claim and a record, each once. Values are JSON. They repeat parts of the item, so they go with
-- its content.
CREATE TABLE reviews (
    org_id        UUID NOT NULL,
    id            UUID NOT NULL,
    workspace_id  UUID NOT NULL,
    item_kind     TEXT NOT NULL COLLATE "C",
    item_id       UUID NOT NULL,
    item_version  BIGINT NOT NULL,
    entity        TEXT NOT NULL COLLATE "C",
    field         TEXT NOT NULL COLLATE "C",
    claimed       TEXT NOT NULL COLLATE "C",
    recorded      TEXT NOT NULL COLLATE "C",
    unit          TEXT COLLATE "C",
    source        TEXT NOT NULL COLLATE "C",
    as_of         TIMESTAMPTZ NOT NULL,
    status        TEXT NOT NULL COLLATE "C",
    created_at    TIMESTAMPTZ NOT NULL,
    decided_at    TIMESTAMPTZ,
    decided_by    TEXT COLLATE "C",
    note          TEXT COLLATE "C",
    PRIMARY KEY (org_id, id)
);
CREATE INDEX reviews_by_item ON reviews (org_id, item_id);
CREATE INDEX reviews_by_workspace ON reviews (org_id, workspace_id, id);
