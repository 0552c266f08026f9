-- Records: what a source of record pushed, for one tree each. `replaced_as_of` is the instant of the last replacement or
-- deletion: older writes are without effect. `live_fields` counts the fields with a value; a record without any is absent.
CREATE TABLE records (
    org_id          UUID        NOT NULL,
    entity          TEXT        NOT NULL COLLATE "C",
    replaced_as_of  TIMESTAMPTZ,
    live_fields     BIGINT      NOT NULL,
    updated_at      TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, entity)
);

-- The value of a field is JSON; without one the field was removed, and the row keeps older writes out.
CREATE TABLE record_fields (
    org_id          UUID        NOT NULL,
    entity          TEXT        NOT NULL COLLATE "C",
    field           TEXT        NOT NULL COLLATE "C",
    value           TEXT        COLLATE "C",
    unit            TEXT        COLLATE "C",
    source          TEXT        COLLATE "C",
    as_of           TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (org_id, entity, field)
);
