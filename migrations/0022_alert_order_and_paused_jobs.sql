-- The order of a subject's messages, and automation jobs that paused themselves.

-- The sync or job that a delivery is about; NULL: a test. The messages about one are sent one after the other.
ALTER TABLE alert_deliveries ADD COLUMN subject_id TEXT;
UPDATE alert_deliveries SET subject_id = (SELECT e.subject_id FROM alert_episodes e WHERE e.id = episode_id)
  WHERE ended_at IS NULL;
CREATE INDEX alert_deliveries_subject ON alert_deliveries (team_id, subject_id, id) WHERE ended_at IS NULL;

-- Why a job has disabled itself: doc_archived, owner_gone, owner_lacks_right. NULL: nobody but people changed it.
ALTER TABLE automation_jobs ADD COLUMN paused_reason TEXT;
