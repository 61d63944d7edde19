-- Docs, each time one was run, and what scripts keep: key-value stores and secrets.

CREATE TABLE docs (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  description TEXT,
  kind TEXT NOT NULL,
  -- The newest of its versions; rises by one with each change, for compare-and-set.
  version INTEGER NOT NULL,
  -- What signed webhooks are checked with, sealed; NULL: none are.
  sealed_webhook_secret TEXT,
  vault_key_id TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  archived_at TEXT
);
CREATE INDEX docs_team_created ON docs (team_id, created_at, id);
CREATE INDEX docs_vault_key ON docs (vault_key_id) WHERE sealed_webhook_secret IS NOT NULL;

CREATE TABLE doc_versions (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  doc_id TEXT NOT NULL REFERENCES docs (id),
  version INTEGER NOT NULL,
  -- The definition as it was sent, to the character.
  text TEXT NOT NULL,
  media_type TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE UNIQUE INDEX doc_versions_number ON doc_versions (team_id, doc_id, version);

CREATE TABLE doc_runs (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- A run keeps what it was of, whatever becomes of the doc.
  doc_id TEXT NOT NULL,
  doc_name TEXT NOT NULL,
  doc_version INTEGER NOT NULL,
  -- webhook, manual or schedule.
  cause TEXT NOT NULL,
  -- Whose rights it has.
  user_id TEXT NOT NULL,
  -- SHA-256 of its key's suffix, hex.
  key_hash TEXT NOT NULL,
  -- starting, running, succeeded, failed, cancelled, timed_out.
  state TEXT NOT NULL,
  error TEXT,
  -- The sandbox says that it lives before this has passed.
  lease_until TEXT NOT NULL,
  deadline_at TEXT NOT NULL,
  cancel_requested_at TEXT,
  created_at TEXT NOT NULL,
  started_at TEXT,
  ended_at TEXT
);
CREATE INDEX doc_runs_team_doc ON doc_runs (team_id, doc_id, created_at, id);
CREATE INDEX doc_runs_key ON doc_runs (user_id, key_hash) WHERE ended_at IS NULL;
CREATE INDEX doc_runs_lease ON doc_runs (lease_until) WHERE ended_at IS NULL;
CREATE INDEX doc_runs_ended ON doc_runs (ended_at) WHERE ended_at IS NOT NULL;

-- One dataset of one run.
CREATE TABLE executions (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  run_id TEXT NOT NULL,
  dataset_key TEXT NOT NULL,
  engine TEXT NOT NULL,
  -- Its place in the run.
  position INTEGER NOT NULL,
  -- Asked for, rather than only needed by one that was.
  is_selected INTEGER NOT NULL,
  -- queued, running, succeeded, failed, skipped.
  state TEXT NOT NULL,
  error TEXT,
  traceback TEXT,
  -- What it left behind, as JSON.
  result TEXT,
  started_at TEXT,
  duration_ms REAL,
  peak_bytes INTEGER,
  updated_at TEXT NOT NULL
);
CREATE INDEX executions_team_run ON executions (team_id, run_id, position);

CREATE TABLE idempotency_keys (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  doc_id TEXT NOT NULL,
  key TEXT NOT NULL,
  -- The run it was first sent for; there is none while its request is still being read.
  run_id TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE UNIQUE INDEX idempotency_keys_key ON idempotency_keys (team_id, doc_id, key);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

CREATE TABLE kv_stores (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  -- Strings by key, as JSON.
  data TEXT NOT NULL,
  version_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX kv_stores_name ON kv_stores (team_id, name);

CREATE TABLE secrets (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  key TEXT NOT NULL,
  sealed_value TEXT NOT NULL,
  vault_key_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX secrets_key ON secrets (team_id, key);
CREATE INDEX secrets_vault_key ON secrets (vault_key_id);

-- What a team's admins have decided; a team without a row has decided nothing.
CREATE TABLE team_settings (
  team_id TEXT PRIMARY KEY NOT NULL REFERENCES teams (id),
  sandbox_internet INTEGER NOT NULL,
  updated_at TEXT NOT NULL
);

-- The run whose key did it; NULL: somebody did it by their own.
ALTER TABLE audit_events ADD COLUMN run_id TEXT;
