-- Rises by one with each change of a data-access role: its version on the wire, and what If-Match names.
ALTER TABLE access_roles ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
