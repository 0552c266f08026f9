-- Reviews: differences between a claim and a record, each once. Values are JSON. They repeat parts of the item, so they go with
-- its content.
CREATE TABLE reviews (
    org_id        BLOB NOT NULL,
    id            BLOB NOT NULL,
    workspace_id  BLOB NOT NULL,
    item_kind     TEXT NOT NULL,
    item_id       BLOB NOT NULL,
    item_version  INTEGER NOT NULL,
    entity        TEXT NOT NULL,
    field         TEXT NOT NULL,
    claimed       TEXT NOT NULL,
    recorded      TEXT NOT NULL,
    unit          TEXT,
    source        TEXT NOT NULL,
    as_of         INTEGER NOT NULL,
    status        TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    decided_at    INTEGER,
    decided_by    TEXT,
    note          TEXT,
    PRIMARY KEY (org_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reviews_by_item ON reviews (org_id, item_id);
CREATE INDEX reviews_by_workspace ON reviews (org_id, workspace_id, id);
