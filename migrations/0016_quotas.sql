-- What teams use of their plans.

-- A month's use, added to in the batch that ends a run. `month` is as 2026-11, in UTC.
CREATE TABLE month_uses (
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  month TEXT NOT NULL,
  run_ms INTEGER NOT NULL,
  rows_synced INTEGER NOT NULL,
  PRIMARY KEY (team_id, month)
) WITHOUT ROWID;

-- How many bytes a team's drive has, as its objects are looked through some pages at a time.
CREATE TABLE drive_measures (
  team_id TEXT PRIMARY KEY NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  -- As the last whole look has found them.
  bytes INTEGER NOT NULL,
  measured_at TEXT,
  -- The look that is under way: what it has passed, and how far it is.
  bytes_passed INTEGER NOT NULL,
  after_key TEXT,
  due_at TEXT NOT NULL,
  -- Files may come by URLs until then.
  active_until TEXT NOT NULL
);
CREATE INDEX drive_measures_due ON drive_measures (due_at);
