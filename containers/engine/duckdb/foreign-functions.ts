// Functions of other databases' SQL, and the expression that says the same here.

/** `a` and `b` stand for numbers, `t` for a text, `d` for a date or a time. */
const REPLACEMENTS: readonly (readonly [expression: string, functions: string])[] = [
  ["d + INTERVAL 1 DAY", "date_add dateadd adddate add_months timestampadd timestamp_add datetime_add"],
  ["d - INTERVAL 1 DAY", "date_sub datesub subdate timestamp_sub datetime_sub"],
  [
    "date_diff('day', d, d)",
    "date_diff datediff timestampdiff timestamp_diff datetime_diff days_between months_between",
  ],
  ["date_trunc('month', d)", "date_trunc datetrunc timestamp_trunc datetime_trunc"],
  ["time_bucket(INTERVAL 1 DAY, d)", "time_slice"],
  ["now()", "getdate sysdate sysdatetime systimestamp getutcdate utc_timestamp current_datetime"],
  ["current_date", "curdate utc_date"],
  ["strftime(d, '%Y-%m-%d')", "date_format to_char format_date format_timestamp format_datetime datename"],
  ["strptime(t, '%Y-%m-%d')", "str_to_date to_date parse_date parse_timestamp parse_datetime"],
  ["try_strptime(t, '%Y-%m-%d')", "try_to_date try_to_timestamp"],
  ["epoch(d)", "unix_timestamp unix_seconds to_unixtime"],
  ["epoch_ms(d)", "unix_millis"],
  ["to_timestamp(a)", "from_unixtime timestamp_seconds"],
  ["last_day(d)", "eomonth"],
  ["make_date(a, a, a)", "datefromparts date_from_parts makedate"],
  ["d AT TIME ZONE 'Europe/Berlin'", "convert_tz convert_timezone from_utc_timestamp to_utc_timestamp"],
  ["coalesce(a, b)", "nvl isnull"],
  ["coalesce(a, 0)", "zeroifnull"],
  ["nullif(a, 0)", "nullifzero"],
  ["CASE WHEN a > b THEN a ELSE b END", "iff iif if nvl2 decode"],
  ["a / nullif(b, 0)", "safe_divide"],
  ["coalesce(a / nullif(b, 0), 0)", "div0"],
  ["a // b", "div"],
  ["CAST(t AS DECIMAL(18, 2))", "to_number to_decimal to_numeric to_double parse_number"],
  ["TRY_CAST(t AS DECIMAL(18, 2))", "try_to_number try_to_decimal try_to_numeric try_convert try_parse"],
  ["CAST(a AS VARCHAR)", "convert to_varchar to_string str"],
  ["strpos(t, 'x')", "charindex locate patindex"],
  ["split_part(t, ',', 1)", "substring_index strtok splitpart"],
  ["regexp_matches(t, 'x')", "regexp_contains regexp_like rlike"],
  ["regexp_extract(t, 'x')", "regexp_substr"],
  ["len(regexp_extract_all(t, 'x'))", "regexp_count"],
  ["json_extract_string(t, '$.x')", "json_value json_extract_scalar json_extract_path_text get_json_object"],
  ["CAST(t AS JSON)", "parse_json try_parse_json"],
  ["struct_pack(x := a)", "object_construct named_struct"],
  ["len([a, b])", "array_size cardinality size"],
  ["unnest([a, b])", "explode posexplode flatten arrayjoin"],
  ["list(a)", "collect_list"],
  ["list(DISTINCT a)", "collect_set array_unique_agg"],
  ["string_agg(t, ', ')", "wm_concat group_concat_ws"],
  ["count(DISTINCT a)", "count_distinct countd uniq uniqexact"],
  ["sum(a) FILTER (WHERE b > 0)", "sumif sum_if"],
  ["avg(a) FILTER (WHERE b > 0)", "avgif avg_if averageif"],
  ["quantile_cont(a, 0.5)", "percentile percentile_approx approx_percentile approx_quantiles"],
  ["stddev(a)", "stdev"],
  ["var_pop(a)", "varp"],
  ["bool_or(a > b)", "logical_or boolor_agg"],
  ["bool_and(a > b)", "logical_and booland_agg"],
  ["random()", "rand"],
  ["trunc(a)", "truncate"],
  ["a * a", "square"],
  ["repeat(' ', 2)", "space"],
  ["generate_series(1, 10)", "generate_array sequence"],
];

const BY_NAME = new Map(
  REPLACEMENTS.flatMap(([expression, functions]) => functions.split(" ").map((name) => [name, expression] as const)),
);

export const EXPRESSIONS: readonly string[] = REPLACEMENTS.map(([expression]) => expression);

/** ` Write coalesce(a, b).` for a function of another database, by its folded name; else nothing. */
export function replacementHint(name: string): string {
  const expression = BY_NAME.get(name);
  return expression === undefined ? "" : ` Write ${expression}.`;
}
