-- Of a table that a doc builds, where each column that the last published run wrote comes from: JSON, [{"column",
-- "sources": [{"schema", "name", "column"}]}], sources NULL where unknown. NULL: published before that was kept, or never.
ALTER TABLE table_builds ADD COLUMN columns TEXT;
