// Redshift's SQL as the tests' PostgreSQL understands it. What Redshift does not have is refused, so that nothing of
// the engine's own comes to rest on it.

/** What a session has set. */
export type DialectState = { isCaseSensitive: boolean; refusedSettings: ReadonlySet<string> };

/** What is not there, by the documentation's lists of what is unsupported. */
const REFUSED: readonly [RegExp, string][] = [
  [/\bcopy\b[\s\S]*\bto\s+stdout\b/i, "COPY TO STDOUT"],
  [/\bpg_export_snapshot\b|\bset\s+transaction\s+snapshot\b/i, "exported snapshots"],
  [/\blateral\b|\bwith\s+ordinality\b|\bfilter\s*\(\s*where\b/i, "LATERAL, WITH ORDINALITY and FILTER"],
  [
    /\b(json|jsonb)_(agg|build_\w+|object_agg)\s*\(|\bto_jsonb?\s*\(|\brow_to_json\s*\(/i,
    "PostgreSQL's JSON functions",
  ],
  [/\b(string_agg|array_agg|unnest|generate_series|quote_nullable|format|encode|convert_from)\s*\(/i, "this function"],
  [/\bset_config\s*\(|\bpg_is_in_recovery\b|\btxid_\w+|\bpg_control_\w+/i, "this function"],
  [/\bis\s+(not\s+)?distinct\s+from\b/i, "IS DISTINCT FROM"],
  [/::\s*(pg_catalog\s*\.\s*)?(regclass|regtype|regproc|bytea|json|jsonb|uuid|name)\b/i, "this type"],
  [/\bsavepoint\b/i, "SAVEPOINT"],
  [/(^|[^\w'])e'/i, "E'…' strings"],
  [/\$[a-z_]*\$/i, "text between dollar signs"],
];

/** Settings that a session can change. */
const SETTINGS = new Set([
  "datestyle",
  "enable_case_sensitive_identifier",
  "extra_float_digits",
  "query_group",
  "search_path",
  "statement_timeout",
  "timezone",
]);

/** Answered by an error of the server's own where it is refused. */
export function toPostgres(sql: string, state: DialectState): string {
  const bare = sql.replace(/'(?:[^'\\]|''|\\.)*'/g, "''");
  const refused = REFUSED.find(([pattern]) => pattern.test(bare))?.[1] ?? unknownSetting(bare, state);
  if (refused !== undefined) return `SELECT redshift.refuse('${refused.replaceAll("'", "''")}')`;
  const sensitive = /\benable_case_sensitive_identifier\s+to\s+(true|on|false|off)/i.exec(bare)?.[1];
  if (sensitive !== undefined) state.isCaseSensitive = /^(true|on)$/i.test(sensitive);
  return (
    foldNames(sql, state)
      .replace(/\bSET\s+(LOCAL\s+)?enable_case_sensitive_identifier\s+TO\s+\w+/gi, "SET redshift.case_sensitive TO on")
      .replace(
        /\bBEGIN(\s+TRANSACTION)?\s+READ\s+ONLY/gi,
        "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
      )
      // Casts of floats to text may have fifteen digits there whatever the setting says.
      .replace(/\bextra_float_digits\s+TO\s+\d/gi, "extra_float_digits TO 0")
      .replace(/\bsearch_path\s+TO\s+pg_catalog\b/gi, "search_path TO redshift, pg_catalog")
  );
}

function unknownSetting(bare: string, { refusedSettings }: DialectState): string | undefined {
  for (const [, name] of bare.matchAll(/(?:^|;)\s*SET\s+(?:LOCAL\s+|SESSION\s+)?(\w+)\s*(?:=|\bTO\b)/gi))
    if (!SETTINGS.has(name!.toLowerCase()) || refusedSettings.has(name!.toLowerCase()))
      return `unrecognized configuration parameter "${name}"`;
  return /\bextra_float_digits\s+TO\s+[3-9]/i.test(bare)
    ? "3 is outside the valid range for extra_float_digits"
    : undefined;
}

/** Names in quotes are made small too, unless the session asks for them as they are. */
const foldNames = (sql: string, { isCaseSensitive }: DialectState): string =>
  isCaseSensitive
    ? sql
    : sql.replace(/'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"/g, (quoted) =>
        quoted.startsWith('"') ? quoted.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : quoted,
      );
