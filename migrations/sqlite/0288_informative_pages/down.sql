-- Nothing is to be undone.
SELECT 1;
