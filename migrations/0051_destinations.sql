-- Where a team's deliveries go besides people: the webhook of a Teams workflow, or a webhook of anybody's that is signed.

CREATE TABLE destinations (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- teams or webhook.
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Of the address, with a port that is not the usual one: all of it that is shown.
  host TEXT NOT NULL,
  -- The address and the secrets that sign, the newest first, as JSON, sealed.
  sealed TEXT NOT NULL,
  vault_key_id TEXT NOT NULL,
  -- Until when the secret before the newest signs as well.
  previous_secret_until TEXT,
  -- When a test message was sent last.
  tested_at TEXT,
  -- Rises by one with each change, for compare-and-set.
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX destinations_team_name ON destinations (team_id, name);
CREATE INDEX destinations_vault_key ON destinations (vault_key_id);
