-- Who may read which tables: roles, who has them, and the attributes of users that roles' filters name.

-- `grants` is what the role's wire shows of them, as JSON, without what is as usual. `grants_digest` names this text:
-- equal digests grant the same. `names_attributes`: whether what they grant depends on the user's attributes.
-- `name_folded` is the name as it is compared: no two roles of a team differ by case alone.
CREATE TABLE access_roles (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  description TEXT,
  grants TEXT NOT NULL,
  grants_digest TEXT NOT NULL,
  grants_bytes INTEGER NOT NULL,
  names_attributes INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE UNIQUE INDEX access_roles_by_name ON access_roles (team_id, name_folded);

CREATE TABLE access_members (
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  role_id TEXT NOT NULL REFERENCES access_roles (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
);

CREATE UNIQUE INDEX access_members_by_user ON access_members (team_id, user_id, role_id);
CREATE INDEX access_members_by_role ON access_members (team_id, role_id, user_id);

-- `attributes`: a JSON object of a text or a list of texts by name. `digest` names this text.
CREATE TABLE user_attributes (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  attributes TEXT NOT NULL,
  digest TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE INDEX user_attributes_by_team ON user_attributes (team_id, user_id);
