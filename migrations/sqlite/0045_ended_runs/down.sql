DROP INDEX runs_ended;
