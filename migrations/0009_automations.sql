-- Automation jobs, the runs of these and of lakes' maintenance, and every run's attempts, those of syncs too.

CREATE TABLE automation_jobs (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  -- In lower case of every script, which SQLite itself folds of ASCII alone; what a search looks in.
  name_folded TEXT NOT NULL,
  is_enabled INTEGER NOT NULL,
  -- doc, or lake_integration_maintenance; the doc or the lake it is about.
  resource_type TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  -- Of a maintenance: full or daily.
  kind TEXT,
  -- Of a doc: the only datasets to run, as a JSON array; NULL: all.
  dataset_keys TEXT,
  -- Five fields, and the IANA zone they are read in; both NULL: it runs when somebody asks for it.
  cron TEXT,
  timezone TEXT,
  attempts_max INTEGER NOT NULL,
  -- Before the second attempt; doubles with each further one.
  backoff_seconds INTEGER NOT NULL,
  -- Of a run with all its attempts.
  timeout_seconds INTEGER NOT NULL,
  -- skip or queue: what becomes of a run that falls due while another goes on.
  overlap TEXT NOT NULL,
  -- Whose rights its runs have.
  owner_id TEXT NOT NULL,
  -- NULL while nothing is scheduled.
  next_run_at TEXT,
  -- Rises with every change, for compare-and-set.
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX automation_jobs_maintenance ON automation_jobs (resource_id, kind) WHERE resource_type = 'lake_integration_maintenance';
CREATE INDEX automation_jobs_team ON automation_jobs (team_id, created_at, id);
CREATE INDEX automation_jobs_resource ON automation_jobs (team_id, resource_id);
CREATE INDEX automation_jobs_due ON automation_jobs (next_run_at) WHERE next_run_at IS NOT NULL;

CREATE TABLE automation_runs (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- NULL: a maintenance that somebody asked for by itself. A run outlives its job, so it says itself what it is of.
  automation_id TEXT,
  resource_type TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  kind TEXT,
  dataset_keys TEXT,
  -- schedule, manual or replay.
  cause TEXT NOT NULL,
  -- The tick it was claimed for; NULL for a run that somebody asked for.
  scheduled_for TEXT,
  -- The run that it repeats.
  replay_of TEXT,
  -- Whose rights it has.
  owner_id TEXT NOT NULL,
  -- As its job said when it began.
  attempts_max INTEGER NOT NULL,
  backoff_seconds INTEGER NOT NULL,
  timeout_seconds INTEGER NOT NULL,
  -- queued, starting, running, succeeded, failed, cancelled, timed_out, skipped.
  state TEXT NOT NULL,
  -- Attempts begun so far.
  attempt INTEGER NOT NULL,
  -- Times in a row that there was no room for it.
  refusals INTEGER NOT NULL,
  -- Times in a row that a step of it broke.
  breaks INTEGER NOT NULL DEFAULT 0,
  absences INTEGER NOT NULL DEFAULT 0,
  -- What works on the attempt under way: the engine's job with its lease's fence, or the doc's run.
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
  -- What it has done so far, as JSON in the form of its kind.
  progress TEXT,
  -- Rises with every step, for compare-and-set.
  revision INTEGER NOT NULL,
  -- Of the attempt under way; of the last one once it has ended.
  started_at TEXT,
  ended_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
-- Never two runs of one job at work, none twice for one tick, and one maintenance of a lake at a time.
CREATE UNIQUE INDEX automation_runs_begun ON automation_runs (automation_id) WHERE started_at IS NOT NULL AND ended_at IS NULL;
CREATE UNIQUE INDEX automation_runs_tick ON automation_runs (automation_id, scheduled_for) WHERE scheduled_for IS NOT NULL;
CREATE UNIQUE INDEX automation_runs_lake ON automation_runs (resource_id) WHERE resource_type = 'lake_integration_maintenance' AND started_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX automation_runs_job ON automation_runs (automation_id, created_at, id);
CREATE INDEX automation_runs_resource ON automation_runs (team_id, resource_id, created_at, id);
-- What has not ended, among all that is kept of a job or resource. The column that is always NULL says so to SQLite, which
-- else takes an index of all of them for as good.
CREATE INDEX automation_runs_open ON automation_runs (automation_id, ended_at) WHERE ended_at IS NULL;
CREATE INDEX automation_runs_open_resource ON automation_runs (resource_id, ended_at) WHERE ended_at IS NULL;
CREATE INDEX automation_runs_due ON automation_runs (due_at) WHERE ended_at IS NULL;
CREATE INDEX automation_runs_ended ON automation_runs (ended_at) WHERE ended_at IS NOT NULL;

-- One try of a run, a sync's or an automation's.
CREATE TABLE attempts (
  run_id TEXT NOT NULL,
  -- From 1.
  attempt INTEGER NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- running, succeeded, failed, cancelled, timed_out.
  state TEXT NOT NULL,
  -- The engine's job, or the doc's run.
  job_id TEXT,
  error TEXT,
  started_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE UNIQUE INDEX attempts_run ON attempts (run_id, attempt);
CREATE INDEX attempts_job ON attempts (team_id, job_id);

-- Of the syncs' runs so far the last attempt is known.
INSERT INTO attempts (run_id, attempt, team_id, state, job_id, error, started_at, ended_at)
  SELECT id, attempt, team_id, CASE WHEN ended_at IS NULL THEN 'running' ELSE state END, job_id, error, coalesce(started_at, created_at), ended_at
  FROM sync_runs WHERE attempt > 0 AND (ended_at IS NOT NULL OR state <> 'queued');

-- Times in a row that a step of it broke.
ALTER TABLE sync_runs ADD COLUMN breaks INTEGER NOT NULL DEFAULT 0;
