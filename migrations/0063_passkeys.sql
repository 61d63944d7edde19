-- Passkeys: key pairs of people's devices, which sign in without a secret that could be told to anybody.

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- With the user the passkey goes.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- As the authenticator names it, base64url.
  credential_id TEXT NOT NULL,
  -- COSE, base64url.
  public_key TEXT NOT NULL,
  -- How often the authenticator says it was used; 0 for those that do not count.
  uses INTEGER NOT NULL,
  -- A JSON list of how the browser reaches the authenticator.
  transports TEXT NOT NULL,
  -- The host that it is for: browsers use it nowhere else.
  host TEXT NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_team_user ON passkeys (team_id, user_id, id);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Challenges that have been answered. A challenge is signed and has an end; here it is until then, so that it is
-- answered once.
CREATE TABLE spent_challenges (
  -- SHA-256 of the challenge, hex.
  challenge_hash TEXT PRIMARY KEY NOT NULL,
  expires_at TEXT NOT NULL
);
CREATE INDEX spent_challenges_expiry ON spent_challenges (expires_at);
