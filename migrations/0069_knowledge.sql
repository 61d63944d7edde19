-- Knowledge for agents: the terms of a team's glossary, and the questions that a saved query answers.

CREATE TABLE glossary_terms (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  term TEXT NOT NULL,
  -- The term folded: a team has each once.
  term_key TEXT NOT NULL,
  -- A list of texts, as JSON.
  synonyms TEXT NOT NULL,
  definition TEXT NOT NULL,
  -- A list of tables and model members by integration and name, as JSON. Either may be gone.
  links TEXT NOT NULL,
  -- The newest of its versions; rises by one with each change, for compare-and-set.
  version INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE UNIQUE INDEX glossary_terms_team_key ON glossary_terms (team_id, term_key);

CREATE TABLE glossary_term_versions (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id),
  term_id TEXT NOT NULL REFERENCES glossary_terms (id),
  version INTEGER NOT NULL,
  -- Term, synonyms, definition and links, as JSON.
  content TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE UNIQUE INDEX glossary_term_versions_number ON glossary_term_versions (team_id, term_id, version);

-- A list of texts, as JSON: the newest version's questions, besides its name, that the query answers.
ALTER TABLE saved_queries ADD COLUMN questions TEXT NOT NULL DEFAULT '[]';
