-- When the objects of a lake that nothing names are looked for next, and how far the search has come.
CREATE TABLE lake_collections (
  lake_id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL,
  due_at TEXT NOT NULL,
  -- The last key that was looked at; NULL before the first.
  after_key TEXT
);
CREATE INDEX lake_collections_due ON lake_collections (due_at);

INSERT INTO lake_collections (lake_id, team_id, due_at) SELECT id, team_id, created_at FROM integrations WHERE type = 'lake';
