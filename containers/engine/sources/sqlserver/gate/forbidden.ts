// No statement to SQL Server may contain these, in capitals: words, phrases, functions and tables that reach beyond
// reading the tables of its databases. To forbid a function or a table, add it to `NAME_PATTERNS`.

/**
 * Words that no reading statement has outside quotes, with what they would do. T-SQL needs nothing between two
 * statements, so each word that begins one is here, wherever it stands; that every one is, a test says.
 */
export const FORBIDDEN_WORDS: Record<string, string> = {
  INTO: "INTO makes a table",
  INSERT: "INSERT adds rows",
  UPDATE: "UPDATE changes rows",
  DELETE: "DELETE removes rows",
  TRUNCATE: "TRUNCATE removes rows",
  BULK: "BULK reads files",
  COPY: "COPY reads files",
  READTEXT: "READTEXT reads by a pointer",
  WRITETEXT: "WRITETEXT changes rows",
  UPDATETEXT: "UPDATETEXT changes rows",
  EXEC: "EXEC runs a procedure",
  EXECUTE: "EXECUTE runs a procedure",
  PROC: "PROC names a procedure",
  PROCEDURE: "PROCEDURE names a procedure",
  CREATE: "CREATE makes something",
  ALTER: "ALTER changes the database",
  DROP: "DROP removes something",
  ADD: "ADD changes the database",
  RENAME: "RENAME changes the database",
  TRIGGER: "TRIGGER changes the database",
  ENABLE: "ENABLE changes the database",
  DISABLE: "DISABLE changes the database",
  GRANT: "GRANT changes rights",
  DENY: "DENY changes rights",
  REVOKE: "REVOKE changes rights",
  REVERT: "REVERT changes the session's user",
  SETUSER: "SETUSER changes the session's user",
  AUTHORIZATION: "AUTHORIZATION changes an owner",
  BACKUP: "BACKUP writes files",
  RESTORE: "RESTORE changes the database",
  DUMP: "DUMP writes files",
  LOAD: "LOAD changes the database",
  DISK: "DISK changes the server",
  DBCC: "DBCC changes or inspects the server",
  KILL: "KILL ends other sessions",
  SHUTDOWN: "SHUTDOWN stops the server",
  RECONFIGURE: "RECONFIGURE changes the server",
  CHECKPOINT: "CHECKPOINT writes the database's pages",
  WAITFOR: "WAITFOR only waits",
  USE: "USE changes the session's database",
  SET: "SET changes the session or a row",
  DECLARE: "DECLARE makes a variable",
  BEGIN: "BEGIN opens a block or a transaction",
  TRAN: "TRAN is about transactions",
  TRANSACTION: "TRANSACTION is about transactions",
  COMMIT: "COMMIT ends a transaction",
  ROLLBACK: "ROLLBACK ends a transaction",
  SAVE: "SAVE is about transactions",
  OPEN: "OPEN opens a cursor or a key",
  CLOSE: "CLOSE closes a cursor or a key",
  DEALLOCATE: "DEALLOCATE removes a cursor",
  CURSOR: "CURSOR makes a cursor",
  IF: "IF is a statement of a program",
  WHILE: "WHILE is a statement of a program",
  GOTO: "GOTO is a statement of a program",
  RETURN: "RETURN is a statement of a program",
  BREAK: "BREAK is a statement of a program",
  CONTINUE: "CONTINUE is a statement of a program",
  PRINT: "PRINT is a statement of a program",
  RAISERROR: "RAISERROR is a statement of a program",
  THROW: "THROW is a statement of a program",
  LINENO: "LINENO is a statement of a program",
  GO: "GO is no T-SQL: it belongs to command line tools",
  CONVERSATION: "CONVERSATION is about queues of messages",
  RECEIVE: "RECEIVE takes messages off a queue",
  OPENROWSET: "OPENROWSET reads files and other servers",
  OPENDATASOURCE: "OPENDATASOURCE reads other servers",
  OPENQUERY: "OPENQUERY runs statements on other servers",
  OPENXML: "OPENXML needs a procedure",
  COMPUTE: "COMPUTE makes further results",
  BROWSE: "BROWSE adds columns to the result",
  TABLOCK: "TABLOCK locks tables",
  TABLOCKX: "TABLOCKX locks tables",
  XLOCK: "XLOCK locks rows",
  UPDLOCK: "UPDLOCK locks rows",
  HOLDLOCK: "HOLDLOCK locks rows",
  SERIALIZABLE: "SERIALIZABLE locks rows",
  REPEATABLEREAD: "REPEATABLEREAD locks rows",
  QUERYTRACEON: "QUERYTRACEON changes how the server works",
};

/** Words that are refused one after another, with what is said of them. */
export const FORBIDDEN_PHRASES: { words: readonly string[]; message: string }[] = [
  { words: ["NEXT", "VALUE", "FOR"], message: "Sequences can't be used." },
  { words: ["SEND", "ON"], message: "Messages can't be sent." },
];

/** Words that are judged only where another follows them, or stands before them. */
export const MERGE_HINTS = ["JOIN", "UNION"];
export const FETCH_AFTER = ["ROW", "ROWS"];
export const FETCH_BEFORE = ["NEXT", "FIRST"];

/** Extended and system procedures, which EXEC alone runs: in brackets such a name is any column's. */
export const PROCEDURE_NAMES = /^(XP|SP)_/;

/**
 * Functions and tables that are refused in brackets too: the server's files and its log, below which no right on a
 * table counts; hashes of passwords, private keys, passwords of other servers; other sessions' statements; what dials
 * out. The server itself refuses what a login may not read; a login that was given more than it needs can't read these
 * through the engine.
 */
const NAME_PATTERNS = [
  // Files, and paths of other machines, to which the server would show who it is.
  "FN_(XE_.*_READ_FILE|GET_AUDIT_FILE(_V2)?|TRACE_GET.*)",
  "FN_(DBLOG|FULL_DBLOG|DUMP_DBLOG)(_XTP)?",
  "DM_OS_(FILE_EXISTS|ENUMERATE_FILESYSTEM|ENUMERATE_FIXED_DRIVES)",
  // Passwords and keys.
  "SQL_LOGINS|SYSLOGINS|SYSXLOGINS|SYSREMOTELOGINS|SYSOLEDBUSERS|REMOTE_LOGINS|LINKED_LOGINS",
  "SYSXLGNS|SYSLNKLGNS|SYSOWNERS|SYSOBJVALUES|SYSOBJKEYCRYPTS",
  "LOGINPROPERTY|CERTPRIVATEKEY|KEY_ENCRYPTIONS|CRYPT_PROPERTIES",
  "MSSUBSCRIBER_INFO|MSDISTRIBUTION_AGENTS|FN_REPLGETAGENTCOMMANDLINEFROMJOBID",
  "SIGNBY(CERT|ASYMKEY)",
  // The statements of other sessions, with the values in them.
  "DM_EXEC_(SQL_TEXT|INPUT_BUFFER|(TEXT_)?QUERY_PLAN(_STATS)?|QUERY_STATISTICS_XML|CACHED_PLANS|PLAN_ATTRIBUTES)",
  "(DM_)?EXEC_REQUESTS_HISTORY|DM_PDW_(EXEC_REQUESTS|SQL_REQUESTS|REQUEST_STEPS|NODES_EXEC_.*)|EVENT_LOG",
  "SYSJOBSTEPS(LOGS)?|SYSJOBHISTORY|SYSMAIL_.*",
  "FN_GET_SQL|FN_MSXE_.*|DM_XE_SESSION_TARGETS|QUERY_STORE_(QUERY_TEXT|PLAN)",
  // Other services.
  "AI_GENERATE_.*",
];

/** Matches whole names. */
export const FORBIDDEN_NAMES = new RegExp(`^(${NAME_PATTERNS.join("|")})$`);
