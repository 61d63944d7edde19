-- The team's drive. Its files are objects of the bucket; here is only what the bucket can't say.

CREATE TABLE drive_temporary_files (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  path TEXT NOT NULL,
  expires_at TEXT NOT NULL
);
CREATE INDEX drive_temporary_files_team ON drive_temporary_files (team_id);
CREATE INDEX drive_temporary_files_due ON drive_temporary_files (expires_at);

-- Paths too long to be part of an object's key.
CREATE TABLE drive_long_paths (
  object_key TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  path TEXT NOT NULL,
  -- When to look whether the upload has come; NULL once it has.
  check_at TEXT
);
CREATE INDEX drive_long_paths_team ON drive_long_paths (team_id, path);
CREATE INDEX drive_long_paths_unchecked ON drive_long_paths (check_at) WHERE check_at IS NOT NULL;

-- Uploads in parts that are neither completed nor given up.
CREATE TABLE drive_uploads (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  path TEXT NOT NULL,
  object_key TEXT NOT NULL,
  -- The bucket's own name for the upload.
  store_upload_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
);
CREATE INDEX drive_uploads_team ON drive_uploads (team_id);
CREATE INDEX drive_uploads_due ON drive_uploads (expires_at);
