-- Starts in turns between teams, and why runs were cancelled.

-- When a run's first wake-up message was sent; NULL: it waits until its team has a place among those that start.
ALTER TABLE sync_runs ADD COLUMN woken_at TEXT;
ALTER TABLE automation_runs ADD COLUMN woken_at TEXT;
CREATE INDEX sync_runs_waiting ON sync_runs (team_id, id)
  WHERE ended_at IS NULL AND started_at IS NULL AND woken_at IS NULL;
CREATE INDEX automation_runs_waiting ON automation_runs (team_id, id)
  WHERE ended_at IS NULL AND started_at IS NULL AND woken_at IS NULL;
CREATE INDEX sync_runs_woken ON sync_runs (team_id)
  WHERE ended_at IS NULL AND started_at IS NULL AND woken_at IS NOT NULL;
CREATE INDEX automation_runs_woken ON automation_runs (team_id)
  WHERE ended_at IS NULL AND started_at IS NULL AND woken_at IS NOT NULL;
CREATE INDEX sync_runs_starting ON sync_runs (team_id) WHERE state = 'starting';
CREATE INDEX automation_runs_starting ON automation_runs (team_id) WHERE state = 'starting';

-- Why a run was cancelled, as a code; NULL: it was not, or before this was kept.
ALTER TABLE sync_runs ADD COLUMN cancel_code TEXT;
ALTER TABLE automation_runs ADD COLUMN cancel_code TEXT;
ALTER TABLE doc_runs ADD COLUMN cancel_code TEXT;
CREATE INDEX doc_runs_open_doc ON doc_runs (team_id, doc_id) WHERE ended_at IS NULL;
