-- What a doc draws and plans by itself: the columns that its charts are named by, and the jobs of its `automations`.

-- Of each SQL dataset whose charts name fields by their place, its columns as they were when the version was saved: JSON,
-- names by the dataset's key. NULL: none were asked for, or known.
ALTER TABLE doc_versions ADD COLUMN columns TEXT;

-- The entry of its doc's `automations` that a job is of, by the entry's name; NULL: somebody made it by itself.
ALTER TABLE automation_jobs ADD COLUMN doc_entry TEXT;
-- What a job hands its runs as a webhook's data and variables: JSON, {data?, environmentVariables?}; NULL: nothing.
ALTER TABLE automation_jobs ADD COLUMN payload TEXT;

-- The entries of docs' `automations` as they were applied last.
CREATE TABLE doc_automations (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  doc_id TEXT NOT NULL,
  -- The entry's name within the doc.
  entry TEXT NOT NULL,
  -- Of the entry; another digest is applied.
  digest TEXT NOT NULL,
  job_id TEXT NOT NULL,
  -- applied; changed or deleted: what was done to the job by itself since, which stays until the entry is another.
  state TEXT NOT NULL
);
CREATE UNIQUE INDEX doc_automations_entry ON doc_automations (team_id, doc_id, entry);
CREATE INDEX doc_automations_job ON doc_automations (team_id, job_id);
