-- The requests of programs that named themselves by an Idempotency-Key, each beside the first message that it made. A
-- row goes with its message.
CREATE TABLE message_requests (
  message_id TEXT PRIMARY KEY NOT NULL REFERENCES outgoing_messages (id) ON DELETE CASCADE,
  team_id TEXT NOT NULL REFERENCES teams (id),
  -- The user whose key it came by, or who started the run whose key it was.
  caller_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  -- Of the operation and the body: another body is another request.
  body_hash TEXT NOT NULL,
  -- JSON. NULL until there is one: the first request is under way, or nobody knows what came of it.
  answer TEXT
);
CREATE UNIQUE INDEX message_requests_key ON message_requests (team_id, caller_id, idempotency_key);

-- What of a message that was sent stayed behind, and why.
ALTER TABLE outgoing_messages ADD COLUMN note TEXT;
