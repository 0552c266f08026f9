ALTER TABLE provider_queues DROP COLUMN leased_until;
ALTER TABLE provider_queues DROP COLUMN sender;
