-- What is known of each lake without asking its catalog or its bucket: kept by each round of maintenance and collection.
CREATE TABLE lake_summaries (
  lake_id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL,
  -- What the catalog said of its tables, snapshots and files, as JSON, and when; NULL before it was asked.
  figures TEXT,
  measured_at TEXT,
  -- What the last whole look through its objects found, as JSON, and when it ended; NULL before there was one.
  objects TEXT,
  objects_measured_at TEXT
);
CREATE INDEX lake_summaries_team ON lake_summaries (team_id, lake_id);

-- What the look through a lake's objects has found so far, as JSON; NULL between two.
ALTER TABLE lake_collections ADD COLUMN tally TEXT;
