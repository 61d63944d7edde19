-- Authorizations of agents: what a person has let a program do at /mcp in their name. Its tokens are signed, and are not
-- stored; the row is what makes them good.

CREATE TABLE agent_authorizations (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- With the user the authorization goes.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The session with whose end it ends; null where it outlasts the session that it was given in.
  session_id TEXT,
  -- The address of the document by which the program is known.
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  -- A JSON list of rights.
  scopes TEXT NOT NULL,
  -- How often tokens were handed out; 0 until the first are fetched.
  generation INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT,
  -- It is over then, unless its tokens are renewed before.
  expires_at TEXT NOT NULL
);
CREATE INDEX agent_authorizations_team_user ON agent_authorizations (team_id, user_id, id);
CREATE INDEX agent_authorizations_user ON agent_authorizations (user_id);
CREATE INDEX agent_authorizations_expiry ON agent_authorizations (expires_at);
