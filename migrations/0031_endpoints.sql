-- Saved queries that are published: each answers under one data-access role, to keys and tokens of its own.

CREATE TABLE endpoints (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- Stands in the address; stays as it is.
  name TEXT NOT NULL,
  description TEXT,
  -- The saved query and its version that were published.
  query_id TEXT NOT NULL,
  query_version INTEGER NOT NULL,
  -- What that version asks, as JSON: it is asked whatever becomes of the saved query.
  question TEXT NOT NULL,
  -- The data-access role whose grants bind every caller. A role that is gone grants nothing.
  role_id TEXT NOT NULL,
  -- The user who published it, and has to read what the role grants for as long as it answers.
  publisher_id TEXT NOT NULL,
  -- What a token has to be for.
  audience TEXT NOT NULL,
  -- How numbers are written: exact or string.
  numbers TEXT NOT NULL,
  rate_per_minute INTEGER NOT NULL,
  -- The secrets that sign tokens, the newest first, sealed; NULL: there are no tokens.
  sealed_secrets TEXT,
  vault_key_id TEXT,
  -- Until when the secret before the newest signs as well.
  previous_secret_until TEXT,
  -- Rises by one with each change, for compare-and-set.
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX endpoints_team_name ON endpoints (team_id, name);
CREATE INDEX endpoints_team_query ON endpoints (team_id, query_id);
CREATE INDEX endpoints_vault_key ON endpoints (vault_key_id) WHERE sealed_secrets IS NOT NULL;

-- Keys of one endpoint alone; one that is revoked is deleted.
CREATE TABLE endpoint_keys (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  endpoint_id TEXT NOT NULL REFERENCES endpoints (id),
  name TEXT NOT NULL,
  -- SHA-256 of the whole key, hex.
  key_hash TEXT NOT NULL,
  hint TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT
);
CREATE UNIQUE INDEX endpoint_keys_hash ON endpoint_keys (team_id, endpoint_id, key_hash);

-- The calls of one endpoint in one hour, counted from 1970.
CREATE TABLE endpoint_rollups (
  team_id TEXT NOT NULL REFERENCES teams (id),
  endpoint_id TEXT NOT NULL REFERENCES endpoints (id),
  hour INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  cache_hits INTEGER NOT NULL,
  sum_ms INTEGER NOT NULL,
  min_ms INTEGER NOT NULL,
  max_ms INTEGER NOT NULL,
  -- How many by bucket of `core/events/duration-summary.ts`, as JSON.
  histogram TEXT NOT NULL,
  PRIMARY KEY (team_id, endpoint_id, hour)
);
CREATE INDEX endpoint_rollups_hour ON endpoint_rollups (hour);
