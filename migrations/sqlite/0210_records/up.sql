-- Records: what a source of record pushed, for one tree each. `replaced_as_of` is the instant of the last replacement or
-- deletion: older writes are without effect. `live_fields` counts the fields with a value; a record without any is absent.
CREATE TABLE records (
    org_id          BLOB    NOT NULL,
    entity          TEXT    NOT NULL,
    replaced_as_of  INTEGER,
    live_fields     INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    PRIMARY KEY (org_id, entity)
) STRICT, WITHOUT ROWID;

-- The value of a field is JSON; without one the field was removed, and the row keeps older writes out.
CREATE TABLE record_fields (
    org_id          BLOB    NOT NULL,
    entity          TEXT    NOT NULL,
    field           TEXT    NOT NULL,
    value           TEXT,
    unit            TEXT,
    source          TEXT,
    as_of           INTEGER NOT NULL,
    PRIMARY KEY (org_id, entity, field)
) STRICT, WITHOUT ROWID;
