-- Whether a run was given data or variables, or has taken over stages that were made with some. Nothing keeps them
-- beyond the run.
ALTER TABLE doc_runs ADD COLUMN had_data INTEGER NOT NULL DEFAULT 0;
UPDATE doc_runs SET had_data = 1 WHERE cause = 'webhook';
