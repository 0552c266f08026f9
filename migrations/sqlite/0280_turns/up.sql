-- Turns of conversations and what became of their extraction. A turn has no text: its messages are episodes, whose ids are
-- in `episodes`, 16 bytes each. `due_at` is the time of the next attempt; an attempt moves it ahead, so that another server
-- continues when one dies.
CREATE TABLE turns (
    org_id        BLOB    NOT NULL,
    workspace_id  BLOB    NOT NULL,
    id            BLOB    NOT NULL,
    episodes      BLOB    NOT NULL,
    state         TEXT    NOT NULL,
    due_at        INTEGER,
    attempt       BLOB,
    attempts      INTEGER NOT NULL,
    memories      BLOB    NOT NULL,
    unchanged     INTEGER NOT NULL,
    refused       TEXT    NOT NULL,
    model         TEXT,
    error         TEXT,
    created_at    INTEGER NOT NULL,
    ended_at      INTEGER,
    PRIMARY KEY (org_id, workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_by_due ON turns (org_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX turns_by_end ON turns (org_id, ended_at) WHERE ended_at IS NOT NULL;
