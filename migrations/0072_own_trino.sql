-- The key by which a team's own engine reads one lake's tables, and can do nothing else; one for each integration that
-- names such an engine. It acts for the user who made it, and is gone with that user, the integration or the team.
CREATE TABLE lake_keys (
  integration_id TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  team_id TEXT NOT NULL,
  lake_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  hint TEXT NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX lake_keys_team ON lake_keys (team_id);
CREATE UNIQUE INDEX lake_keys_holder ON lake_keys (user_id, key_hash);

-- What statements have read at teams' own clusters, by month (UTC), once they have ended.
CREATE TABLE cluster_uses (
  team_id TEXT NOT NULL,
  month TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (team_id, month)
) WITHOUT ROWID;

-- What runs the statement.
ALTER TABLE async_queries ADD COLUMN engine TEXT NOT NULL DEFAULT 'duckdb';
