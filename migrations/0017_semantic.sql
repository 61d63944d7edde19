-- Semantic models: the files of each version as they were sent, and what the newest is compiled to.

CREATE TABLE semantic_model_versions (
  team_id TEXT NOT NULL,
  integration_id TEXT NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  -- Of the files, so that saving the same again makes no version.
  digest TEXT NOT NULL,
  message TEXT,
  -- The version that was restored.
  restored_from INTEGER,
  author_id TEXT NOT NULL,
  file_count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (team_id, integration_id, version)
) WITHOUT ROWID;

CREATE TABLE semantic_model_files (
  team_id TEXT NOT NULL,
  integration_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (team_id, integration_id, version, path),
  FOREIGN KEY (team_id, integration_id, version)
    REFERENCES semantic_model_versions (team_id, integration_id, version) ON DELETE CASCADE
);

-- The cubes and views of the newest version.
CREATE TABLE semantic_definitions (
  team_id TEXT NOT NULL,
  integration_id TEXT NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  -- JSON: the definition as it was parsed, and its entry of the list that Cube's /v1/meta answers.
  definition TEXT NOT NULL,
  meta TEXT NOT NULL,
  PRIMARY KEY (team_id, integration_id, name)
);
