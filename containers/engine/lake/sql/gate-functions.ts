// Which functions a tenant's statement may call: what this DuckDB has, less what reaches past the statement's own data.
// And which of them may answer otherwise when they are called again.

/** Table functions; everything that reads files, settings, logs or text as SQL stays out by not being here. */
export const TABLE_FUNCTIONS = new Set([
  "range",
  "generate_series",
  "unnest",
  "json_each",
  "json_tree",
  "repeat",
  "pg_timezone_names",
]);

/** Parsed like functions without being in DuckDB's list of them. */
export const SPECIAL_FUNCTIONS = ["unnest", "grouping", "grouping_id", "columns"];

/** Views a statement may read to learn what there is. Their like with definitions in them stay out. */
export const METADATA_VIEWS = new Set(["tables", "columns", "schemata"]);

const REFUSED = new Set([
  // Settings, variables, sequences, the session and its log.
  ..."current_setting getvariable nextval currval setseed current_query current_query_id".split(" "),
  ..."current_connection_id current_transaction_id".split(" "),
  ..."txid_current in_search_path write_log parse_duckdb_log_message get_block_size".split(" "),
  // Wait without working.
  ..."sleep_ms pg_sleep".split(" "),
  // Plan other SQL, or show how relations are defined.
  ..."json_serialize_plan json_execute_serialized_sql pg_get_viewdef pg_get_constraintdef pg_get_expr".split(" "),
  // Building blocks that trust what they are given.
  ..."stats vector_type combine finalize bind create_sort_key remap_struct".split(" "),
  ..."variant_bytes_to_variant variant_to_parquet_variant variant_normalize".split(" "),
  ..."timetz_byte_comparable constant_or_null cast_to_type can_cast_implicitly".split(" "),
]);

export const isRefusedFunction = (name: string): boolean => REFUSED.has(name) || name.startsWith("__internal_");

/** One name of a function; its overloads together. */
export type NamedFunction = {
  name: string;
  /** DuckDB says so of one of them. */
  isUnsteady: boolean;
  /** What macros of that name are short for. */
  definitions: readonly string[];
};

/** Words that DuckDB reads as calls where there is no column of the name. */
const CLOCK_WORDS = ["current_time", "current_timestamp", "localtime", "localtimestamp"];

/** DuckDB calls these consistent: two read the clock, and one draws a sample. */
const UNMARKED = ["current_localtime", "current_localtimestamp", "reservoir_quantile"];

/** A macro with a query in it reads what else there is. */
const QUERY = "select";

/** The zones' names have their present offsets beside them. */
export const UNSTEADY_TABLE_FUNCTIONS = new Set(["pg_timezone_names"]);

/** DuckDB says nothing of macros: one is unsteady where a word of what it is short for is. */
export function unsteadyNames(functions: readonly NamedFunction[]): Set<string> {
  const unsteady = new Set([QUERY, ...CLOCK_WORDS, ...UNMARKED]);
  for (const { name, isUnsteady } of functions) if (isUnsteady) unsteady.add(name);
  let macros = functions.filter(({ definitions }) => definitions.length > 0);
  for (let known = -1; known < unsteady.size; ) {
    known = unsteady.size;
    macros = macros.filter(({ name, definitions }) => {
      const isSteady = definitions.every((text) => !wordsOf(text).some((word) => unsteady.has(word)));
      if (!isSteady) unsteady.add(name);
      return isSteady;
    });
  }
  unsteady.delete(QUERY);
  return unsteady;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\w+/g) ?? [];

/** With one value `age` is counted from today. In `a.age()` that value is taken for a schema before it is bound. */
export const isAgeToday = (name: string, values: unknown): boolean =>
  name === "age" && !(Array.isArray(values) && values.length > 1);

/** A time of day with its zone: AT TIME ZONE puts it into the offset that another zone has at present. */
export const namesZonedTime = (castType: unknown): boolean =>
  castType !== undefined && JSON.stringify(castType).includes('"TIME WITH TIME ZONE"');

/** Texts name types to `json_transform`, and aggregates to `list_aggregate`. */
export const textIsUnsteady = (text: unknown): boolean =>
  typeof text === "string" && /\btime(tz|\s+with\s+time\s+zone)\b|reservoir_quantile/i.test(text);

/** What these do is said by a text: the name of an aggregate, or types in JSON. */
const GO_BY_TEXTS = new Set([
  ..."list_aggregate list_aggr array_aggregate array_aggr aggregate".split(" "),
  ..."json_transform json_transform_strict from_json from_json_strict".split(" "),
]);

/** In JSON letters may be escaped, and a type may have comments in it. */
const ESCAPED = /[\\/]|--/;

/**
 * Whether a call goes by a text that {@link textIsUnsteady} could not see: one that is computed, or escaped. Of its
 * values the first is what it is done to, but in `a.from_json(…)`, where that is taken for a schema.
 */
export function goesByHiddenText(
  name: string,
  { schema, children }: { schema?: unknown; children?: unknown },
): boolean {
  if (!GO_BY_TEXTS.has(name) || !Array.isArray(children)) return false;
  const isPlain = ({ class: kind, value }: { class?: unknown; value?: { value?: unknown } }): boolean =>
    kind === "CONSTANT" && !ESCAPED.test(String(value?.value));
  return !(typeof schema === "string" && schema !== "" ? children : children.slice(1)).every(isPlain);
}
