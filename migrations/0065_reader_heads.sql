-- What the reader of an asynchronous query is told beside its rows, in the words of the protocol that it came by.
ALTER TABLE async_queries ADD COLUMN reader_head TEXT;
