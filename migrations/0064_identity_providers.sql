-- Signing in by a team's own identity provider (OpenID Connect).

CREATE TABLE identity_providers (
  id TEXT PRIMARY KEY NOT NULL,
  -- A team has one; it signs in users of this team alone.
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  -- NULL for a client without a secret, which proves itself by PKCE alone.
  sealed_secret TEXT,
  vault_key_id TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX identity_providers_team ON identity_providers (team_id);
CREATE INDEX identity_providers_vault_key ON identity_providers (vault_key_id) WHERE sealed_secret IS NOT NULL;

-- Mail domains that are a team's.
CREATE TABLE team_domains (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- In lower case.
  domain TEXT NOT NULL,
  -- What a DNS record of the domain has to say.
  token TEXT NOT NULL,
  created_at TEXT NOT NULL,
  -- NULL until the record was seen, or an operator vouched for it.
  proven_at TEXT,
  proven_by TEXT
);
CREATE UNIQUE INDEX team_domains_name ON team_domains (team_id, domain);
CREATE INDEX team_domains_proven ON team_domains (domain) WHERE proven_at IS NOT NULL;

-- Accounts at a provider, each bound to a user by the name that the provider never gives to another.
CREATE TABLE identities (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- With the user the identity goes.
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT,
  -- When the user, signed in by another way, bound it; NULL where it was bound by a verified address.
  consented_at TEXT
);
CREATE UNIQUE INDEX identities_subject ON identities (team_id, issuer, subject);
CREATE UNIQUE INDEX identities_user ON identities (team_id, user_id, issuer);
CREATE INDEX identities_of_user ON identities (user_id);
