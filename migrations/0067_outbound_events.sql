-- Events of a team go out to its destinations of kind `events`, as messages of the machine that sends deliveries.

-- JSON, the types of events that are sent there. NULL: the destination is of another kind.
ALTER TABLE destinations ADD COLUMN event_types TEXT;
ALTER TABLE destinations ADD COLUMN description TEXT;
-- Since when nothing is sent there. disabled_code: requested, gone (its host answered 410), failing (for days).
ALTER TABLE destinations ADD COLUMN disabled_at TEXT;
ALTER TABLE destinations ADD COLUMN disabled_code TEXT;
-- The first attempt in a row without success. NULL: the last one succeeded, or there was none.
ALTER TABLE destinations ADD COLUMN failing_since TEXT;
CREATE INDEX destinations_events ON destinations (team_id) WHERE kind = 'events' AND disabled_at IS NULL;

-- An event's type and body, which is written with what it reports. NULL: what the message says is at content_key.
ALTER TABLE outgoing_messages ADD COLUMN event_type TEXT;
ALTER TABLE outgoing_messages ADD COLUMN payload TEXT;
-- Messages to one target with the same order_key go out one after the other, in the order of their rows.
ALTER TABLE outgoing_messages ADD COLUMN order_key TEXT;
-- 1 while an earlier message of its order_key has not ended: it is not due, whatever due_at says.
ALTER TABLE outgoing_messages ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;
DROP INDEX outgoing_messages_due;
CREATE INDEX outgoing_messages_due ON outgoing_messages (due_at) WHERE ended_at IS NULL AND is_held = 0;
-- The due messages of one target, those that were tried before apart.
CREATE INDEX outgoing_messages_lane ON outgoing_messages (team_id, channel_target, (attempts > 0), due_at)
  WHERE ended_at IS NULL AND is_held = 0 AND channel = 'events';
CREATE INDEX outgoing_messages_order ON outgoing_messages (team_id, channel_target, order_key)
  WHERE order_key IS NOT NULL;
CREATE INDEX outgoing_messages_target ON outgoing_messages (team_id, channel_target, id) WHERE channel = 'events';
CREATE INDEX outgoing_messages_under_way ON outgoing_messages (team_id, channel_target)
  WHERE is_claimed = 1 AND ended_at IS NULL AND channel = 'events';

-- What came of each attempt. `revision` is the message's after it: a replay counts attempts from one again.
CREATE TABLE message_attempts (
  message_id TEXT NOT NULL REFERENCES outgoing_messages (id) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  attempt INTEGER NOT NULL,
  -- sent, refused, failed; unknown: nobody knows whether it arrived.
  outcome TEXT NOT NULL,
  -- What a host answered over HTTP, and the beginning of its body; NULL: no answer, or a channel that shows none.
  status INTEGER,
  excerpt TEXT,
  error TEXT,
  started_at TEXT NOT NULL,
  -- NULL: the attempt broke off.
  duration_ms INTEGER,
  PRIMARY KEY (message_id, revision)
);
CREATE INDEX message_attempts_team ON message_attempts (team_id);

-- 1 where the audit event is an access change that a destination is to hear of, until the message to it is written.
ALTER TABLE audit_events ADD COLUMN is_unannounced INTEGER NOT NULL DEFAULT 0;
CREATE INDEX audit_events_unannounced ON audit_events (is_unannounced) WHERE is_unannounced = 1;
