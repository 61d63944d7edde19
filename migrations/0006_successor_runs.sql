-- A run that is asked to end makes way at once: its successor is recorded, and begins when it has ended.
DROP INDEX sync_runs_active;
CREATE UNIQUE INDEX sync_runs_active ON sync_runs (sync_id) WHERE ended_at IS NULL AND cancel_requested_at IS NULL;
CREATE INDEX sync_runs_open ON sync_runs (sync_id) WHERE ended_at IS NULL;
