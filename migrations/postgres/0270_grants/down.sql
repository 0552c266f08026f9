DROP TABLE grants;
