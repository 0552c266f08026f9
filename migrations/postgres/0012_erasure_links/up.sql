-- The row of the access log that tells of the erasure: where it stands in the chain.
ALTER TABLE erasures ADD COLUMN access_seq BIGINT;
