-- The audit log tells what changed, by which key and request, and is listed by actor, kind and subject.

-- The action's noun.
ALTER TABLE audit_events ADD COLUMN kind TEXT NOT NULL DEFAULT '';
UPDATE audit_events SET kind = substr(action, 1, instr(action, '.') - 1);
-- JSON objects of fields, nothing secret in them; of two sides only the fields that differ.
ALTER TABLE audit_events ADD COLUMN before TEXT;
ALTER TABLE audit_events ADD COLUMN after TEXT;
-- The person's key that did it; NULL where a run's did, or none.
ALTER TABLE audit_events ADD COLUMN key_id TEXT;
ALTER TABLE audit_events ADD COLUMN request_id TEXT;
-- Whether an operator did it to a team that is not their own.
ALTER TABLE audit_events ADD COLUMN is_by_operator INTEGER NOT NULL DEFAULT 0;

-- Ids sort by time, so that they are what pages go by.
DROP INDEX audit_events_team_at;
CREATE INDEX audit_events_team ON audit_events (team_id, id);
CREATE INDEX audit_events_team_actor ON audit_events (team_id, actor_id, id);
CREATE INDEX audit_events_team_kind ON audit_events (team_id, kind, id);
CREATE INDEX audit_events_team_subject ON audit_events (team_id, subject_id, id);
-- What operators did to teams, over all of them.
CREATE INDEX audit_events_by_operator ON audit_events (id) WHERE is_by_operator = 1;
-- What runs did is kept for less long than what people did.
CREATE INDEX audit_events_by_run ON audit_events (id) WHERE run_id IS NOT NULL;

-- A JSON list of the rights it may use; NULL for all of its user's.
ALTER TABLE api_keys ADD COLUMN scopes TEXT;
-- The key that was made instead of it.
ALTER TABLE api_keys ADD COLUMN successor_id TEXT;
-- What the sweep looks for: keys that have ended.
CREATE INDEX api_keys_revoked ON api_keys (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX api_keys_expiring ON api_keys (expires_at) WHERE expires_at IS NOT NULL;
