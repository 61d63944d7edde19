-- Questions that a team keeps: SQL or a semantic query, with the parameters that whoever runs one may set.

CREATE TABLE saved_queries (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  description TEXT,
  -- A list of texts, as JSON.
  tags TEXT NOT NULL,
  -- The user who may change it beside the team's admins. That user may be gone.
  owner_id TEXT NOT NULL,
  -- The newest of its versions; rises by one with each change of the definition, for compare-and-set.
  version INTEGER NOT NULL,
  -- What a search looks through: name, description, tags and text, folded.
  search_text TEXT NOT NULL,
  -- The admin who vouches for the question as it is; a changed question has nobody.
  certified_by TEXT,
  certified_at TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  archived_at TEXT
);
CREATE INDEX saved_queries_team_created ON saved_queries (team_id, created_at, id);

CREATE TABLE saved_query_versions (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  query_id TEXT NOT NULL REFERENCES saved_queries (id),
  version INTEGER NOT NULL,
  -- The whole definition, as JSON.
  definition TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE UNIQUE INDEX saved_query_versions_number ON saved_query_versions (team_id, query_id, version);
