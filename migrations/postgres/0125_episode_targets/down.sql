DROP INDEX episodes_by_target;
