-- The server that sends an outbox, and until when no other one may.
ALTER TABLE provider_queues ADD COLUMN sender BLOB;
ALTER TABLE provider_queues ADD COLUMN leased_until INTEGER;
