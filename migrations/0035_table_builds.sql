-- The tables of the lake that docs build.

-- Under which id a run's staged files lie, and in which lake; NULL of a run that builds no table.
ALTER TABLE doc_runs ADD COLUMN build_id TEXT;
ALTER TABLE doc_runs ADD COLUMN lake_id TEXT;
-- The run whose stages this one takes over.
ALTER TABLE doc_runs ADD COLUMN rerun_of TEXT;

-- How each table was built last: when, from what, and how its tests went.
CREATE TABLE table_builds (
  team_id TEXT NOT NULL,
  lake_id TEXT NOT NULL,
  schema_name TEXT NOT NULL,
  table_name TEXT NOT NULL,
  doc_id TEXT NOT NULL,
  dataset_key TEXT NOT NULL,
  -- The run that tried last, and how that ended: published or tests_failed.
  run_id TEXT NOT NULL,
  state TEXT NOT NULL,
  tried_at TEXT NOT NULL,
  tests_failed INTEGER NOT NULL,
  tests_warned INTEGER NOT NULL,
  -- The rows that the last published run wrote, and the tables it read: [{"schema", "name"}]. NULL before there is one.
  published_at TEXT,
  published_run_id TEXT,
  rows_written INTEGER,
  sources TEXT,
  PRIMARY KEY (team_id, lake_id, schema_name, table_name)
);
CREATE INDEX table_builds_doc ON table_builds (team_id, doc_id);
