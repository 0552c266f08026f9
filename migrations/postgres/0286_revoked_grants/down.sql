DELETE FROM grants WHERE revoked_at IS NOT NULL;
ALTER TABLE grants DROP COLUMN revoked_at;
