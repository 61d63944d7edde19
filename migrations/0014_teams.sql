-- Finding teams among many, the end of a team, and links that sign in.

-- The name in one case of every script: what a search looks in. Names that are here already are folded by their ASCII
-- letters, and wholly with their next change.
ALTER TABLE teams ADD COLUMN name_folded TEXT NOT NULL DEFAULT '';
UPDATE teams SET name_folded = lower(name);
-- From here on nobody finds the team; its row goes last, so that nothing of it is left that points nowhere.
ALTER TABLE teams ADD COLUMN deleted_at TEXT;
CREATE INDEX teams_updated_at ON teams (updated_at, id);
CREATE INDEX teams_domain ON teams (domain, id);
CREATE INDEX teams_plan ON teams (plan, id);

-- Teams on their way out. A row leaves with the team's own, when nothing of it is left.
CREATE TABLE team_removals (
  team_id TEXT PRIMARY KEY NOT NULL REFERENCES teams (id),
  -- Of the deletion that made it, among several at once.
  id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  -- The sweep sends another message when this has passed.
  next_try_at TEXT NOT NULL
);
CREATE INDEX team_removals_next_try ON team_removals (next_try_at);

-- Links that sign in as a team's admin, once.
CREATE TABLE magic_links (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- Whom it signs in as; with the user the link goes.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of what the link holds, hex.
  token_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- The key it was exchanged for; NULL while nobody has used it.
  key_id TEXT
);
CREATE UNIQUE INDEX magic_links_token ON magic_links (token_hash);
CREATE INDEX magic_links_team ON magic_links (team_id, user_id);
CREATE INDEX magic_links_user ON magic_links (user_id);
CREATE INDEX magic_links_expiry ON magic_links (expires_at);

-- What SQLite looks in for rows that point at one which is deleted: without them, at each that goes, the whole table.
CREATE INDEX doc_versions_doc ON doc_versions (doc_id);
CREATE INDEX access_members_user ON access_members (user_id);
CREATE INDEX access_members_role ON access_members (role_id);
