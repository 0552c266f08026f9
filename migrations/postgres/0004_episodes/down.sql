DROP TABLE episodes;
