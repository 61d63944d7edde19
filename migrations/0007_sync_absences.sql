-- Attempts of a run that the platform itself was away for: they count for nothing.
ALTER TABLE sync_runs ADD COLUMN absences INTEGER NOT NULL DEFAULT 0;
