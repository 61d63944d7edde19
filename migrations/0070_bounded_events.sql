-- The minute's sweep costs a constant, however many events wait and however many have ended.

-- The due messages of one lane: a channel of a team, of events a destination; those that were tried before apart. The
-- sweep goes from lane to lane by this key.
DROP INDEX outgoing_messages_due;
DROP INDEX outgoing_messages_lane;
CREATE INDEX outgoing_messages_lane ON outgoing_messages (
  (team_id || ' ' || channel || ' ' || iif(channel = 'events', channel_target, '') || ' ' || (attempts > 0)),
  due_at
) WHERE ended_at IS NULL AND is_held = 0;

-- Of an event, when it was written or sent again: it is given up some days later. NULL: it is no event.
ALTER TABLE outgoing_messages ADD COLUMN waits_since TEXT;
UPDATE outgoing_messages SET waits_since = created_at WHERE payload IS NOT NULL;
CREATE INDEX outgoing_messages_waiting ON outgoing_messages (waits_since) WHERE ended_at IS NULL;

-- By `ended_at` the first that has not ended is found however many of its order have.
DROP INDEX outgoing_messages_order;
CREATE INDEX outgoing_messages_order ON outgoing_messages (team_id, channel_target, order_key, ended_at)
  WHERE order_key IS NOT NULL;

-- Events have no objects, and are forgotten apart from what has.
DROP INDEX outgoing_messages_ended;
CREATE INDEX outgoing_messages_ended ON outgoing_messages (ended_at) WHERE ended_at IS NOT NULL AND payload IS NULL;
CREATE INDEX outgoing_messages_ended_events ON outgoing_messages (ended_at)
  WHERE ended_at IS NOT NULL AND payload IS NOT NULL;

-- The access changes of each team that wait to be announced, in the order of their commits.
DROP INDEX audit_events_unannounced;
CREATE INDEX audit_events_unannounced ON audit_events (team_id) WHERE is_unannounced = 1;
