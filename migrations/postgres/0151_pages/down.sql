DROP INDEX episodes_by_thread;
DROP TABLE page_work;
DROP TABLE pages;
