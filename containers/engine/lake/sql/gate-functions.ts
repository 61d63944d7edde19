// A tenant's statement may call these functions; some of them may answer otherwise when they are called again.

/** Table functions that may be called. Functions that read files, settings, logs or text as SQL are not listed. */
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
const SPECIAL_FUNCTIONS = ["unnest", "grouping", "grouping_id", "columns"];

/** Views that list what there is, which a statement may read. Similar views with definitions in them are not listed. */
export const METADATA_VIEWS = new Set(["tables", "columns", "schemata"]);

/** Signs between values are functions, too. */
const OPERATORS = `
  !__postfix !~~ !~~* % & && * ** + - ->> / // <-> << <=> <@ >> @ @> ^ ^@ | || ~ ~~ ~~* ~~~`;

const AGGREGATES = `
  any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_max_nulls_last
  arg_min arg_min_null arg_min_nulls_last argmax argmin array_agg avg bit_and bit_or bit_xor bitstring_agg
  bool_and bool_or corr count count_if count_star countif covar_pop covar_samp cume_dist dense_rank entropy favg
  fill first first_value fsum group_concat histogram histogram_exact kahan_sum kurtosis kurtosis_pop lag last
  last_value lead list listagg mad max max_by mean median min min_by mode nth_value ntile percent_rank product
  quantile quantile_cont quantile_disc rank rank_dense regr_avgx regr_avgy regr_count regr_intercept regr_r2
  regr_slope regr_sxx regr_sxy regr_syy reservoir_quantile row_number sem skewness stddev stddev_pop stddev_samp
  string_agg sum sum_no_overflow sumkahan var_pop var_samp variance`;

const MACROS = `
  ago array_append array_pop_back array_pop_front array_prepend array_push_back array_push_front array_reverse
  array_to_string array_to_string_comma_default col_description current_catalog current_role current_user date_add
  days_in_month fdiv fmod format_pg_type format_type generate_subscripts geomean geometric_mean
  has_any_column_privilege has_column_privilege has_database_privilege has_foreign_data_wrapper_privilege
  has_function_privilege has_language_privilege has_schema_privilege has_sequence_privilege has_server_privilege
  has_table_privilege has_tablespace_privilege inet_client_addr inet_client_port inet_server_addr inet_server_port
  json json_group_array json_group_object json_group_structure list_any_value list_append
  list_approx_count_distinct list_avg list_bit_and list_bit_or list_bit_xor list_bool_and list_bool_or list_count
  list_entropy list_first list_histogram list_kurtosis list_kurtosis_pop list_last list_mad list_max list_median
  list_min list_mode list_prepend list_product list_reverse list_sem list_skewness list_stddev_pop
  list_stddev_samp list_string_agg list_sum list_var_pop list_var_samp map_contains_entry map_contains_value
  map_to_pg_oid md5_number_lower md5_number_upper nullif obj_description pg_collation_is_visible pg_conf_load_time
  pg_conversion_is_visible pg_function_is_visible pg_has_role pg_is_other_temp_schema pg_my_temp_schema
  pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible pg_postmaster_start_time pg_size_pretty
  pg_table_is_visible pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible
  pg_ts_template_is_visible pg_type_is_visible pg_typeof regexp_split_to_table round_even roundbankers
  session_user shobj_description split_part user wavg weighted_avg`;

const SCALARS = `
  abs acos acosh add age aggregate alias apply array_aggr array_aggregate array_apply array_cat array_concat
  array_contains array_cosine_distance array_cosine_similarity array_cross_product array_distance array_distinct
  array_dot_product array_extract array_filter array_grade_up array_has array_has_all array_has_any array_indexof
  array_inner_product array_intersect array_length array_negative_dot_product array_negative_inner_product
  array_position array_reduce array_resize array_reverse_sort array_select array_slice array_sort array_to_json
  array_transform array_unique array_value array_where array_zip ascii asin asinh atan atan2 atanh bar base64 bin
  bit_count bit_length bit_position bitstring cardinality cbrt ceil ceiling century char_length character_length
  chr concat concat_ws contains cos cosh cot current_database current_date current_localtime
  current_localtimestamp current_schema current_schemas damerau_levenshtein date_diff date_part date_sub
  date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek dayofyear decade decode degrees
  divide editdist3 element_at encode ends_with enum_code enum_first enum_last enum_range enum_range_boundary epoch
  epoch_ms epoch_ns epoch_us equi_width_bins era error even exp factorial filter flatten floor format format_bytes
  formatreadabledecimalsize formatreadablesize from_base64 from_binary from_hex from_json from_json_strict gamma
  gcd gen_random_uuid generate_series get_bit get_current_time get_current_timestamp get_type grade_up greatest
  greatest_common_divisor hamming hash hex hour icu_sort_key ilike_escape instr is_histogram_other_bin isfinite
  isinf isnan isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json_array json_array_length
  json_contains json_deserialize_sql json_exists json_extract json_extract_path json_extract_path_text
  json_extract_string json_keys json_merge_patch json_object json_pretty json_quote json_serialize_sql
  json_structure json_transform json_transform_strict json_type json_valid json_value julian last_day lcase lcm
  least least_common_multiple left left_grapheme len length length_grapheme levenshtein lgamma like_escape
  list_aggr list_aggregate list_apply list_cat list_concat list_contains list_cosine_distance
  list_cosine_similarity list_distance list_distinct list_dot_product list_element list_extract list_filter
  list_grade_up list_has list_has_all list_has_any list_indexof list_inner_product list_intersect
  list_negative_dot_product list_negative_inner_product list_pack list_position list_reduce list_resize
  list_reverse_sort list_select list_slice list_sort list_transform list_unique list_value list_where list_zip ln
  log log10 log2 lower lpad ltrim make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns
  make_timestamptz make_type map map_concat map_contains map_entries map_extract map_extract_value
  map_from_entries map_keys map_values md5 md5_number microsecond millennium millisecond minute mismatches mod
  month monthname multiply nanosecond nextafter nfc_normalize normalized_interval not_ilike_escape not_like_escape
  now octet_length ord parse_dirname parse_dirpath parse_filename parse_formatted_bytes parse_path pi position pow
  power prefix printf quarter radians random range reduce regexp_escape regexp_extract regexp_extract_all
  regexp_full_match regexp_matches regexp_replace regexp_split_to_array repeat replace replace_type reverse right
  right_grapheme round row row_to_json rpad rtrim second set_bit sha1 sha256 sign signbit sin sinh split sqrt
  st_asbinary st_astext st_aswkb st_aswkt st_crs st_geomfromwkb st_intersects_extent st_setcrs starts_with
  str_split str_split_regex strftime string_split string_split_regex string_to_array strip_accents strlen strpos
  strptime struct_concat struct_contains struct_extract struct_extract_at struct_has struct_indexof struct_insert
  struct_keys struct_pack struct_position struct_update struct_values substr substring substring_grapheme subtract
  suffix switch tan tanh time_bucket timezone timezone_hour timezone_minute to_base to_base64 to_binary
  to_centuries to_days to_decades to_hex to_hours to_json to_microseconds to_millennia to_milliseconds to_minutes
  to_months to_quarters to_seconds to_timestamp to_weeks to_years today transaction_timestamp translate trim trunc
  try_strptime typeof ucase unbin unhex unicode union_extract union_tag union_value unpivot_list upper url_decode
  url_encode uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 variant_extract variant_typeof version
  week weekday weekofyear xor year yearweek`;

/** Languages: each has a scalar `icu_collate_…`. */
const COLLATIONS = `
  af am ar ar_sa as az be bg bn bo br bs ca ceb chr cs cy da de de_at dsb dz ee el en en_us eo es et fa fa_af ff
  fi fil fo fr fr_ca ga gl gu ha haw he he_il hi hr hsb hu hy id id_id ig is it ja ka kk kl km kn ko kok ku ky lb
  lkt ln lo lt lv mk ml mn mr ms mt my nb nb_no ne nl nn noaccent om or pa pa_in pl ps pt ro ru sa se si sk sl smn
  sq sr sr_ba sr_me sr_rs sv sw ta te th tk to tr ug uk ur uz vi wae wo xh yi yo yue yue_cn zh zh_cn zh_hk zh_mo
  zh_sg zh_tw zu`;

const listed = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Functions each judged to reach nothing past the statement's own data. Any other function is refused, also one that a
 * later DuckDB brings; `test/containers/lake/gate.test.ts` holds the list to what the running DuckDB has.
 */
export const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set([
  ...[OPERATORS, AGGREGATES, MACROS, SCALARS].flatMap(listed),
  ...listed(COLLATIONS).map((language) => `icu_collate_${language}`),
  ...SPECIAL_FUNCTIONS,
]);

/** The overloads of one function name. */
export type NamedFunction = {
  name: string;
  /** Whether DuckDB calls one of the overloads unsteady. */
  isUnsteady: boolean;
  /** The expressions that macros of this name stand for. */
  definitions: readonly string[];
};

/** Words that DuckDB reads as calls where there is no column of the name. */
const CLOCK_WORDS = ["current_time", "current_timestamp", "localtime", "localtimestamp"];

/** DuckDB calls these consistent: two read the clock, and one draws a sample. */
const UNMARKED = ["current_localtime", "current_localtimestamp", "reservoir_quantile"];

/** A macro with a query in it may read other metadata. */
const QUERY = "select";

/** The listing of zones includes their present offsets. */
export const UNSTEADY_TABLE_FUNCTIONS = new Set(["pg_timezone_names"]);

/**
 * The names of unsteady functions. DuckDB says nothing of macros: one is unsteady where a word of its definition is.
 */
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

/**
 * Whether a text names something unsteady: texts name types to `json_transform`, and aggregates to `list_aggregate`.
 */
export const textIsUnsteady = (text: unknown): boolean =>
  typeof text === "string" && /\btime(tz|\s+with\s+time\s+zone)\b|reservoir_quantile/i.test(text);

/** Functions that a text controls: the name of an aggregate, or types in JSON. */
const GO_BY_TEXTS = new Set([
  ..."list_aggregate list_aggr array_aggregate array_aggr aggregate".split(" "),
  ..."json_transform json_transform_strict from_json from_json_strict".split(" "),
]);

/** In JSON letters may be escaped, and a type may have comments in it. */
const ESCAPED = /[\\/]|--/;

/**
 * Whether a call goes by a text that {@link textIsUnsteady} could not see: one that is computed, or escaped. The first
 * value is what the function is applied to, but in `a.from_json(…)`, where it is taken for a schema.
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
