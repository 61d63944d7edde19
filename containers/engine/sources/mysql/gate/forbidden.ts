// What no statement to MySQL or MariaDB may contain, in capitals: functions, words, tables and SHOWs that reach beyond
// reading a database's tables. To forbid a function, add it to `FUNCTION_PATTERNS`.

/** Functions that reach files, locks, sequences or the server itself. One that only takes long ends at the deadline. */
const FUNCTION_PATTERNS = [
  "LOAD_FILE",
  "(GET|RELEASE)_LOCK",
  "RELEASE_ALL_LOCKS",
  "(NEXT|SET|LAST)VAL",
  "SYS_(EXEC|EVAL|GET|SET)",
  "LIB_MYSQLUDF_.*",
  "GROUP_REPLICATION_.*",
  "ASYNCHRONOUS_CONNECTION_FAILOVER_.*",
  "AUDIT_(LOG|API)_.*",
  "KEYRING_.*",
  ".*FIREWALL.*",
  "VERSION_TOKENS_.*",
  "(LOAD|FLUSH)_REWRITE_RULES",
];

/** Matches whole names. */
export const FORBIDDEN_FUNCTIONS = new RegExp(`^(${FUNCTION_PATTERNS.join("|")})$`);

/** Words that appear in no reading statement unless quoted, with what they would do. */
export const FORBIDDEN_WORDS: Record<string, string> = {
  INTO: "INTO writes a file or a variable",
  OUTFILE: "OUTFILE writes a file",
  DUMPFILE: "DUMPFILE writes a file",
  UPDATE: "UPDATE changes rows or locks them",
  DELETE: "DELETE changes rows",
  CALL: "CALL runs a procedure",
};

/** Two or three words that are refused one after another, with what is said of them. */
export const FORBIDDEN_PHRASES: { words: string[]; message: string }[] = [
  { words: ["FOR", "SHARE"], message: "FOR SHARE locks rows, which is not allowed." },
  { words: ["LOCK", "IN"], message: "LOCK IN SHARE MODE locks rows, which is not allowed." },
  { words: ["PROCEDURE", "ANALYSE"], message: "PROCEDURE ANALYSE is not allowed." },
  { words: ["NEXT", "VALUE", "FOR"], message: "Sequences can't be used." },
  { words: ["PREVIOUS", "VALUE", "FOR"], message: "Sequences can't be used." },
  { words: ["FOR", "CONNECTION"], message: "Only your own statement can be explained." },
];

export const SYSTEM_DATABASE = "MYSQL";
/** Its tables that hold password hashes, the passwords of other servers, and samples of any table's values. */
export const SECRET_TABLES = [
  "USER",
  "GLOBAL_PRIV",
  "SERVERS",
  "PASSWORD_HISTORY",
  "PASSWORD_REUSE_CHECK_HISTORY",
  "SLAVE_MASTER_INFO",
  "REPLICA_MASTER_INFO",
  "SPIDER_TABLES",
  "SPIDER_LINK_MON_SERVERS",
  "SPIDER_XA_MEMBER",
  "SPIDER_XA_FAILED_LOG",
  "COLUMN_STATS",
];
/** What SHOW gives of the same: accounts with their hashes, other servers' passwords, and the log of all changes. */
export const FORBIDDEN_SHOW = /^(CREATE (USER|SERVER)|GRANTS|(SLAVE|REPLICA) HOSTS|REPLICAS|(BINLOG|RELAYLOG))$/;
