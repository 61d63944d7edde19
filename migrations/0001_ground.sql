-- Teams, the people in them, the keys they act with, the places their data comes from, and what was done.

CREATE TABLE teams (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  domain TEXT,
  plan TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX teams_created_at ON teams (created_at, id);

CREATE TABLE users (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  role TEXT NOT NULL,
  is_operator INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX users_team_email ON users (team_id, email);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  -- SHA-256 of the suffix, hex. The suffix has 190 bits, so a fast hash is enough.
  suffix_hash TEXT NOT NULL,
  -- Its last four characters, to tell keys apart in a list.
  hint TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT
);
CREATE UNIQUE INDEX api_keys_user_hash ON api_keys (user_id, suffix_hash);
CREATE INDEX api_keys_team_user ON api_keys (team_id, user_id, id);

CREATE TABLE integrations (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The team's own lake: the default of a query, created with the team, never deleted alone.
  is_default INTEGER NOT NULL DEFAULT 0,
  -- The credentials' non-secret fields, as JSON; what a listing may show.
  details TEXT NOT NULL,
  -- The whole credentials, sealed; NULL for a lake, which has none.
  sealed_credentials TEXT,
  -- The vault key it is sealed under, so that rotation finds what is left to do.
  vault_key_id TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX integrations_team_created ON integrations (team_id, created_at, id);
CREATE INDEX integrations_team_type ON integrations (team_id, type, created_at, id);
CREATE UNIQUE INDEX integrations_team_default ON integrations (team_id) WHERE is_default = 1;
CREATE INDEX integrations_vault_key ON integrations (vault_key_id) WHERE sealed_credentials IS NOT NULL;

CREATE TABLE audit_events (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  at TEXT NOT NULL
);
CREATE INDEX audit_events_team_at ON audit_events (team_id, at, id);

-- Lakes whose integration is gone and whose objects are still being deleted. A row leaves when its prefix is empty.
CREATE TABLE lake_removals (
  lake_id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  -- The sweep nudges again when this has passed.
  next_try_at TEXT NOT NULL
);
CREATE INDEX lake_removals_next_try ON lake_removals (next_try_at);
