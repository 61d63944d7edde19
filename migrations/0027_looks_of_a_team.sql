-- Each step counts its team's runs that have begun and not ended: the more there are, the rarer each is looked at.

CREATE INDEX sync_runs_of_team ON sync_runs (team_id) WHERE started_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX automation_runs_of_team ON automation_runs (team_id) WHERE started_at IS NOT NULL AND ended_at IS NULL;
