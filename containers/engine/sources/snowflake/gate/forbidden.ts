// Words that no statement to Snowflake may contain outside quotes, with what they would do. To forbid one more, add it
// here.

/** Some are names of functions as well: those may be called (`GET(document, 'field')`). */
export const FORBIDDEN_WORDS: Readonly<Record<string, string>> = {
  ALTER: "ALTER changes objects",
  BEGIN: "BEGIN starts a transaction or a block",
  CALL: "CALL runs a procedure",
  COMMIT: "COMMIT ends a transaction",
  COPY: "COPY loads or unloads files",
  CREATE: "CREATE makes objects",
  DECLARE: "DECLARE begins a block",
  DELETE: "DELETE changes rows",
  DESCRIBE: "DESCRIBE tells of objects; INFORMATION_SCHEMA can be read instead",
  DROP: "DROP removes objects",
  EXECUTE: "EXECUTE runs what is stored",
  EXPLAIN: "EXPLAIN is not among the statements that are sent",
  FUNCTION: "FUNCTION defines or calls code",
  GET: "GET downloads files",
  GRANT: "GRANT changes rights",
  INSERT: "INSERT changes rows",
  INTO: "INTO writes a table or a variable",
  LET: "LET sets a variable",
  LIST: "LIST reads a stage",
  LS: "LS reads a stage",
  MERGE: "MERGE changes rows",
  NEXTVAL: "NEXTVAL counts a sequence on",
  PROCEDURE: "PROCEDURE defines or runs code",
  PUT: "PUT uploads files",
  REMOVE: "REMOVE deletes files",
  REVOKE: "REVOKE changes rights",
  RM: "RM deletes files",
  ROLLBACK: "ROLLBACK ends a transaction",
  SET: "SET changes variables",
  SHOW: "SHOW tells of objects; INFORMATION_SCHEMA can be read instead",
  TRUNCATE: "TRUNCATE removes rows",
  UNDROP: "UNDROP restores objects",
  UNSET: "UNSET changes variables",
  UPDATE: "UPDATE changes rows or locks them",
  USE: "USE changes the session",
};

/** Two words that are refused one after another, of which each alone is a common name. */
export const FORBIDDEN_PHRASES: Readonly<Record<string, readonly string[]>> = { COMMENT: ["ON", "IF"] };

/** Names that tell more than that they are not listed, when they are called. */
export const REFUSED_FUNCTIONS: Readonly<Record<string, string>> = {
  IDENTIFIER: "Tables can't be named by a text (IDENTIFIER): write the name itself.",
  TO_QUERY: "A text can't be run as a statement (TO_QUERY).",
  RESULT_SCAN: "Results of other statements can't be read (RESULT_SCAN).",
};
