-- Syncs by a cron expression, and the alerts of syncs and automation jobs that go wrong.

-- Five fields, and the IANA zone they are read in; both NULL: a minute of its own within the interval.
ALTER TABLE syncs ADD COLUMN cron TEXT;
ALTER TABLE syncs ADD COLUMN timezone TEXT;
CREATE INDEX syncs_team ON syncs (team_id, id);

-- A sync's or job's newest run, newest success and newest failure, each by one look. A run of some tables only is no success of its sync.
CREATE INDEX sync_runs_sync ON sync_runs (sync_id, id);
-- So that what has not ended is still found among these by itself.
DROP INDEX sync_runs_open;
CREATE INDEX sync_runs_open ON sync_runs (sync_id, ended_at) WHERE ended_at IS NULL;
CREATE INDEX sync_runs_succeeded ON sync_runs (sync_id, ended_at) WHERE state = 'succeeded' AND only_tables IS NULL;
CREATE INDEX sync_runs_failed ON sync_runs (sync_id, ended_at) WHERE state = 'failed';
CREATE INDEX automation_runs_succeeded ON automation_runs (automation_id, ended_at) WHERE state = 'succeeded';
CREATE INDEX automation_runs_failed ON automation_runs (automation_id, ended_at) WHERE state IN ('failed', 'timed_out');

-- Where a team wants to hear of what goes wrong.
CREATE TABLE alert_webhooks (
  team_id TEXT PRIMARY KEY NOT NULL REFERENCES teams (id),
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  -- The secrets that deliveries are signed with, the newest first; the one before it until an instant.
  sealed_secrets TEXT NOT NULL,
  vault_key_id TEXT NOT NULL,
  previous_secret_until TEXT,
  -- Failures before it are not reported.
  watched_since TEXT NOT NULL,
  -- When, and why, nothing is sent any more; NULL while it is in use.
  disabled_at TEXT,
  disabled_reason TEXT,
  -- When its team's syncs and jobs were looked through last.
  swept_at TEXT NOT NULL,
  -- Rises with every change, for compare-and-set.
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX alert_webhooks_swept ON alert_webhooks (swept_at) WHERE disabled_at IS NULL;

-- From when something goes wrong with a sync or a job until it has succeeded again.
CREATE TABLE alert_episodes (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- sync or job.
  subject_type TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  -- failed or stale.
  cause TEXT NOT NULL,
  -- The end of the run that failed; or the last success, or the beginning of the schedule.
  since TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  closed_at TEXT,
  -- recovered; or dropped, where nobody is to hear of it: the subject is gone, or has no schedule any more.
  outcome TEXT,
  -- A run that failed by then is a part of it.
  until TEXT
);
CREATE UNIQUE INDEX alert_episodes_open ON alert_episodes (team_id, subject_id) WHERE closed_at IS NULL;
CREATE INDEX alert_episodes_subject ON alert_episodes (team_id, subject_id, until);
CREATE INDEX alert_episodes_closed ON alert_episodes (closed_at) WHERE closed_at IS NOT NULL;

-- What is sent to a team's webhook, once each until it is taken. The id is that of the message.
CREATE TABLE alert_deliveries (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- NULL: a test.
  episode_id TEXT,
  type TEXT NOT NULL,
  -- The body, to the byte.
  payload TEXT NOT NULL,
  -- pending, delivered, failed.
  state TEXT NOT NULL,
  -- Attempts begun so far.
  attempts INTEGER NOT NULL,
  -- When the next one is due; while one is made, until when it is left alone.
  due_at TEXT NOT NULL,
  -- What came of the last one: the answer's status, and why it was no success.
  status INTEGER,
  error TEXT,
  -- Rises with every step, for compare-and-set.
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  attempted_at TEXT,
  ended_at TEXT
);
CREATE INDEX alert_deliveries_team ON alert_deliveries (team_id, created_at, id);
CREATE INDEX alert_deliveries_due ON alert_deliveries (due_at) WHERE ended_at IS NULL;
CREATE INDEX alert_deliveries_ended ON alert_deliveries (ended_at) WHERE ended_at IS NOT NULL;
