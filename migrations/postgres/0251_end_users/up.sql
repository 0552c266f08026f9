-- Whether a profile keeps end users and sessions apart.
ALTER TABLE profiles ADD COLUMN subjects TEXT COLLATE "C" NOT NULL DEFAULT 'open' CHECK (subjects IN ('open', 'separate'));
ALTER TABLE profiles ADD COLUMN sessions TEXT COLLATE "C" NOT NULL DEFAULT 'open' CHECK (sessions IN ('open', 'separate'));

-- Hashes of the subject and the session of a redacted memory, for the readers of its tombstone; null for none.
ALTER TABLE redactions ADD COLUMN subject TEXT COLLATE "C";
ALTER TABLE redactions ADD COLUMN session_id TEXT COLLATE "C";
