-- The server that sends an outbox, and until when no other one may.
ALTER TABLE provider_queues ADD COLUMN sender UUID;
ALTER TABLE provider_queues ADD COLUMN leased_until TIMESTAMPTZ;
