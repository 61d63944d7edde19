-- What is published has a kind. The table was made for endpoints, which keep a saved query: of other kinds `query_id`,
-- `query_version` and `question` are the id of what is published, its version, and what is answered of it, as JSON.
ALTER TABLE endpoints ADD COLUMN kind TEXT NOT NULL DEFAULT 'endpoint';
DROP INDEX endpoints_team_name;
CREATE UNIQUE INDEX endpoints_team_kind_name ON endpoints (team_id, kind, name);
