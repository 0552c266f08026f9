-- A memory may have a title: one line, searchable like its content.
ALTER TABLE memories ADD COLUMN title TEXT;
ALTER TABLE memory_versions ADD COLUMN title TEXT;
