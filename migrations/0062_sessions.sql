-- Sessions of people in a browser. A cookie names one; what it holds is known to its browser alone.

CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- With the user the session goes.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The key it was made by: it has the key's scopes, and ends with it. NULL where it was made another way.
  key_id TEXT REFERENCES api_keys (id) ON DELETE CASCADE,
  -- SHA-256 of what the cookie holds, hex.
  token_hash TEXT NOT NULL,
  -- How its user signed in.
  method TEXT NOT NULL,
  -- The start of what the browser calls itself.
  user_agent TEXT,
  created_at TEXT NOT NULL,
  -- Its last use, to about an hour: without one for long enough it is over.
  used_at TEXT NOT NULL,
  -- It is over then, however it is used.
  expires_at TEXT NOT NULL,
  -- Signed out, or ended by somebody.
  ended_at TEXT
);
CREATE UNIQUE INDEX sessions_token ON sessions (token_hash);
CREATE INDEX sessions_team_user ON sessions (team_id, user_id, id);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_key ON sessions (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX sessions_used ON sessions (used_at);

-- A link makes a session. `key_id` is of links that were used before there were sessions.
ALTER TABLE magic_links ADD COLUMN session_id TEXT;
-- Who asks for a link knows an address, and not its teams.
CREATE INDEX users_email ON users (email);

-- How often somebody without a key has tried something within a span of time.
CREATE TABLE sign_in_tries (
  -- What was tried, and the SHA-256 of the address that it came from or is for.
  subject TEXT NOT NULL,
  -- The beginning of the span.
  span_at TEXT NOT NULL,
  tries INTEGER NOT NULL,
  PRIMARY KEY (subject, span_at)
);
CREATE INDEX sign_in_tries_span ON sign_in_tries (span_at);
