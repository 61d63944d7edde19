-- Syncs: what is copied from a database into a lake, how often, and each time it was done.

CREATE TABLE syncs (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- The integration that is read, and the lake that is written.
  source_id TEXT NOT NULL,
  lake_id TEXT NOT NULL,
  dest_schema TEXT NOT NULL,
  schedule TEXT NOT NULL,
  -- What was asked for, as JSON: patterns, load method, cursors.
  config TEXT NOT NULL,
  -- active or paused; planned until its lake tables are its own; removing until they are free again. The last two nobody sees.
  status TEXT NOT NULL,
  -- NULL while nothing is scheduled.
  next_run_at TEXT,
  -- Rises with every change, for compare-and-set.
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
-- One configuration for each source and destination.
CREATE UNIQUE INDEX syncs_destination ON syncs (team_id, source_id, lake_id, dest_schema COLLATE NOCASE) WHERE status IN ('active', 'paused');
CREATE INDEX syncs_team_lake ON syncs (team_id, lake_id);
CREATE INDEX syncs_due ON syncs (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX syncs_unseen ON syncs (updated_at) WHERE status IN ('planned', 'removing');

CREATE TABLE sync_runs (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- A run outlives its sync in the history, so it says itself what it was of.
  sync_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  lake_id TEXT NOT NULL,
  dest_schema TEXT NOT NULL,
  -- schedule, manual or configuration.
  cause TEXT NOT NULL,
  -- The tick it was claimed for; NULL for a run that somebody asked for.
  scheduled_for TEXT,
  -- Everything is read again, whatever earlier runs remember.
  is_full INTEGER NOT NULL,
  -- The only source tables of this run, as a JSON array; NULL: all of the sync.
  only_tables TEXT,
  -- queued, starting, running, succeeded, failed, cancelled.
  state TEXT NOT NULL,
  -- Attempts begun so far.
  attempt INTEGER NOT NULL,
  -- Times in a row that the engine had no room for it.
  refusals INTEGER NOT NULL,
  -- The engine job and the lake lease's fence of the attempt under way.
  job_id TEXT,
  fence INTEGER,
  -- When somebody has to look at it next, and until when somebody does.
  due_at TEXT NOT NULL,
  claimed_until TEXT,
  cancel_requested_at TEXT,
  cancel_reason TEXT,
  -- Past this it is given up.
  deadline_at TEXT NOT NULL,
  error TEXT,
  -- What is known of its tables, as JSON, and their sums.
  progress TEXT,
  rows_read INTEGER NOT NULL,
  rows_written INTEGER NOT NULL,
  rows_deleted INTEGER NOT NULL,
  bytes_written INTEGER NOT NULL,
  -- Rises with every step, for compare-and-set.
  revision INTEGER NOT NULL,
  -- Of the attempt under way; of the last one once it has ended.
  started_at TEXT,
  ended_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
-- Never two runs of one sync at once, and none twice for one tick.
CREATE UNIQUE INDEX sync_runs_active ON sync_runs (sync_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX sync_runs_tick ON sync_runs (sync_id, scheduled_for) WHERE scheduled_for IS NOT NULL;
CREATE INDEX sync_runs_team_source ON sync_runs (team_id, source_id, created_at, id);
CREATE INDEX sync_runs_due ON sync_runs (due_at) WHERE ended_at IS NULL;
CREATE INDEX sync_runs_ended ON sync_runs (ended_at) WHERE ended_at IS NOT NULL;
