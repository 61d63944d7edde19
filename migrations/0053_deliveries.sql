-- What goes out of a team by itself: the result of a saved query or of a doc, to people and to other services. Jobs of
-- automations run deliveries; what they send is in `outgoing_messages`.

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  -- One line; NULL: the name.
  subject TEXT,
  message TEXT,
  -- What is sent, as JSON, and the id of the saved query or the doc.
  source TEXT NOT NULL,
  source_id TEXT NOT NULL,
  -- To whom, as JSON.
  recipients TEXT NOT NULL,
  -- How whole results go along, as JSON; NULL: they do not.
  files TEXT,
  -- When something is sent, as JSON; NULL: always.
  condition TEXT,
  -- Whether the condition held at the last run, and the value that it looked at, as JSON.
  condition_state TEXT,
  -- The last run of an automation that read the results, when, and whether it sent something.
  last_run_id TEXT,
  last_run_at TEXT,
  last_run_sent INTEGER,
  -- Rises by one with each change and with each run, for compare-and-set.
  revision INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX deliveries_team ON deliveries (team_id, created_at, id);
CREATE INDEX deliveries_source ON deliveries (team_id, source_id);
