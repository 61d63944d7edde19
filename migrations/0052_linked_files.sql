-- Addresses that nobody can guess, each of one file of the bucket, for whoever has it, until it ends.

CREATE TABLE linked_files (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- SHA-256 of what the address ends in, hex.
  token_hash TEXT NOT NULL,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  -- Of an object that is the link's own, and goes with it.
  object_key TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  -- When the address ends; one that is revoked has ended at once.
  ends_at TEXT NOT NULL,
  downloads INTEGER NOT NULL,
  downloaded_at TEXT
);
CREATE UNIQUE INDEX linked_files_token ON linked_files (token_hash);
CREATE INDEX linked_files_team ON linked_files (team_id, ends_at);
CREATE INDEX linked_files_ends ON linked_files (ends_at);
