-- Messages that go out on any channel, and the addresses that mail may go to.

-- What a message says is an object of the bucket; the row is its log.
CREATE TABLE outgoing_messages (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- email, slack, teams, webhook.
  channel TEXT NOT NULL,
  -- An e-mail address; for slack `<integration id>/<channel id>`; for teams and webhook a destination's id.
  channel_target TEXT NOT NULL,
  -- One line.
  subject TEXT NOT NULL,
  -- The delivery and the run that made the message; both NULL: a request of somebody's.
  delivery_id TEXT,
  run_id TEXT,
  -- The object that holds what it says, below `<team id>/messages/`.
  content_key TEXT NOT NULL,
  -- pending, sent, failed; unknown: nobody knows whether it arrived, and it is not sent again.
  state TEXT NOT NULL,
  -- Attempts begun so far.
  attempts INTEGER NOT NULL,
  -- 1 from the beginning of an attempt until its outcome is known.
  is_claimed INTEGER NOT NULL,
  -- When the next attempt is due; while one is made, until when it is left alone.
  due_at TEXT NOT NULL,
  -- The channel's own name of it.
  reference TEXT,
  error TEXT,
  -- Rises with every step, for compare-and-set.
  revision INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  attempted_at TEXT,
  ended_at TEXT
);
CREATE INDEX outgoing_messages_team ON outgoing_messages (team_id, created_at, id);
CREATE INDEX outgoing_messages_delivery ON outgoing_messages (team_id, delivery_id, created_at) WHERE delivery_id IS NOT NULL;
CREATE INDEX outgoing_messages_due ON outgoing_messages (due_at) WHERE ended_at IS NULL;
CREATE INDEX outgoing_messages_ended ON outgoing_messages (ended_at) WHERE ended_at IS NOT NULL;

-- Addresses of nobody in the team, each asked whether mail may come.
CREATE TABLE mail_addresses (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- In lower case.
  address TEXT NOT NULL,
  -- Of the token of the last question's link.
  token_hash TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- NULL: no mail but the question goes there.
  confirmed_at TEXT
);
CREATE UNIQUE INDEX mail_addresses_team ON mail_addresses (team_id, address);
CREATE INDEX mail_addresses_token ON mail_addresses (token_hash);

-- When an address was asked last, whichever team did: once a day, so that nobody is flooded.
CREATE TABLE mail_asks (
  address TEXT PRIMARY KEY NOT NULL,
  asked_at TEXT NOT NULL
);
CREATE INDEX mail_asks_time ON mail_asks (asked_at);

-- Addresses, members' too, that want no mail of a team.
CREATE TABLE mail_unsubscriptions (
  team_id TEXT NOT NULL REFERENCES teams (id),
  address TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (team_id, address)
);

-- How many mails a team has sent on a day (UTC).
CREATE TABLE mail_days (
  team_id TEXT NOT NULL REFERENCES teams (id),
  day TEXT NOT NULL,
  mails INTEGER NOT NULL,
  PRIMARY KEY (team_id, day)
);
