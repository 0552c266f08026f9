DROP TABLE provider_surfaces;
DROP TABLE provider_items;
DROP TABLE provider_queues;
DROP TABLE provider_outbox;
