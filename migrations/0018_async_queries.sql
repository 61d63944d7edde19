-- Queries whose senders did not wait: how each stands, until a day after its end. The result is an object.

CREATE TABLE async_queries (
  team_id TEXT NOT NULL,
  -- The request's.
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  integration_id TEXT NOT NULL,
  -- Of what its sender might read there; null is everything.
  access_digest TEXT,
  -- The member of the body that was asked by.
  asked_by TEXT NOT NULL,
  format TEXT NOT NULL,
  -- How it failed, as JSON; null of one that has ended is success.
  problem TEXT,
  bytes INTEGER,
  created_at TEXT NOT NULL,
  -- When an engine said that it runs.
  accepted_at TEXT,
  deadline_at TEXT NOT NULL,
  ended_at TEXT,
  PRIMARY KEY (team_id, id)
) WITHOUT ROWID;
CREATE INDEX async_queries_running ON async_queries (deadline_at) WHERE ended_at IS NULL;
CREATE INDEX async_queries_ended ON async_queries (ended_at);
