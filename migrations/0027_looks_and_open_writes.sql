-- How often the runs of a team are looked at, and what datasets may have written.

-- Each step counts its team's runs that have begun and not ended: the more there are, the rarer each is looked at.
CREATE INDEX sync_runs_of_team ON sync_runs (team_id) WHERE started_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX automation_runs_of_team ON automation_runs (team_id) WHERE started_at IS NOT NULL AND ended_at IS NULL;

-- Why a dataset failed, where the platform goes by it: write_outcome_unknown. NULL: any other reason, or none.
ALTER TABLE executions ADD COLUMN error_code TEXT;
