-- A statement that writes, of a client that begins it by its next request: held until then, and run once however often
-- that request is repeated. NULL: it has begun.
ALTER TABLE async_queries ADD COLUMN held_sql TEXT;
