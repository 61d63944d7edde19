-- Queries that their callers ask for again and again, as clients of Cube do: nobody needs them soon after their end.

ALTER TABLE async_queries ADD COLUMN is_repeated INTEGER NOT NULL DEFAULT 0;
-- Until now only the version of their ids told them apart.
UPDATE async_queries SET is_repeated = 1 WHERE substr(id, 15, 1) = '8' AND substr(id, 20, 1) = '8';
