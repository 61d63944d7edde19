-- What a doc's run read with: the digest of what its starter might read as it began; null is everything.

ALTER TABLE doc_runs ADD COLUMN access_digest TEXT;
