-- Which tests of the tables that a run builds failed: JSON, [{"schema", "table", "name", "severity"}], some of many. NULL:
-- none, or no tables.
ALTER TABLE doc_runs ADD COLUMN failed_tests TEXT;
