-- What a run's tables came to, as JSON: how many were done, failed and left as they were, and what is to be known of it.
ALTER TABLE sync_runs ADD COLUMN summary TEXT;

-- Of a sync's runs one has begun; others wait for their turn, each asked for what those before it do not bring.
DROP INDEX sync_runs_active;
CREATE UNIQUE INDEX sync_runs_begun ON sync_runs (sync_id) WHERE started_at IS NOT NULL AND ended_at IS NULL;
