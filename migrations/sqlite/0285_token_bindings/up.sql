-- The end user and the session that a token is bound to. Tokens that were issued before have neither here.
ALTER TABLE tokens ADD COLUMN end_user TEXT;
ALTER TABLE tokens ADD COLUMN session_id TEXT;
CREATE INDEX tokens_by_end_user ON tokens (org_id, end_user) WHERE end_user IS NOT NULL;
