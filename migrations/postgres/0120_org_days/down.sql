DROP TABLE org_days;
