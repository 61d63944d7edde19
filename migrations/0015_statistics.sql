-- How many events of each kind a team had, and how long they took.

-- Every event is in two rows: its minute's, and that of its ten minutes, for wider buckets to be read from fewer rows. `start_minute` counts from 1970.
CREATE TABLE event_rollups (
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  -- 1 or 10.
  span_minutes INTEGER NOT NULL,
  start_minute INTEGER NOT NULL,
  count INTEGER NOT NULL,
  sum_ms INTEGER NOT NULL,
  min_ms INTEGER NOT NULL,
  max_ms INTEGER NOT NULL,
  -- A JSON object: how many durations by bucket.
  histogram TEXT NOT NULL,
  PRIMARY KEY (team_id, type, span_minutes, start_minute)
) WITHOUT ROWID;
-- For the sweep.
CREATE INDEX event_rollups_age ON event_rollups (start_minute);

-- The last batch of a team's meter that has arrived: one that comes again counts no second time.
CREATE TABLE meter_batches (
  team_id TEXT PRIMARY KEY NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL
);

-- When a key was last used, to about a minute.
CREATE TABLE key_uses (
  key_id TEXT PRIMARY KEY NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  used_at TEXT NOT NULL
);
CREATE INDEX key_uses_team ON key_uses (team_id, key_id);
