-- As which job an asynchronous query may write to the lake; null is not at all. By it a query that is lost is settled.

ALTER TABLE async_queries ADD COLUMN write_job_id TEXT;
