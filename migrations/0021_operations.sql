-- What operators see of the platform at night: when it last ticked, and what no consumer could work on.

CREATE TABLE platform_ticks (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 0),
  ticked_at TEXT NOT NULL
);
CREATE TABLE dead_letters (
  kind TEXT NOT NULL PRIMARY KEY,
  count INTEGER NOT NULL,
  last_at TEXT NOT NULL
);
