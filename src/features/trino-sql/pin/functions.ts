// The functions that a statement for a team's own Trino may name: those that are translated for DuckDB, and these.
// Trino has each of them built in; none reads or changes anything but its values.

import type { Call } from "../translate/functions/function.ts";
import { isTranslated } from "../translate/functions/call.ts";

/** These are translated, but tell of the session, which is the engine's and not the sender's at a cluster. */
const OF_SESSION = new Set(["current_user", "current_catalog", "current_schema", "version"]);

const listOf = (text: string): string[] => text.trim().split(/\s+/);

const BUILT_IN = new Set([
  // Aggregates.
  ...listOf(`approx_distinct approx_most_frequent approx_percentile array_agg bitwise_and_agg bitwise_or_agg
    bitwise_xor_agg checksum corr covar_pop covar_samp geometric_mean histogram kurtosis map_agg map_union max_by min_by
    multimap_agg numeric_histogram reduce_agg regr_intercept regr_slope skewness`),
  // Windows.
  ...listOf("row_number rank dense_rank percent_rank cume_dist ntile first_value last_value nth_value lag lead"),
  // Numbers.
  ...listOf(`abs acos asin atan atan2 cbrt ceil ceiling cos cosh degrees e exp floor from_base infinity is_finite
    is_infinite ln log log10 log2 mod radians round sign sin sinh tan tanh to_base truncate width_bucket bitwise_and
    bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bit_count cosine_similarity`),
  // Texts and bytes.
  ...listOf(`chr codepoint concat_ws damerau_levenshtein_distance format from_base64 from_base64url from_hex from_utf8
    hamming_distance levenshtein_distance luhn_check md5 position regexp_position reverse sha1 sha256 sha512 soundex split
    split_to_map strrpos substring to_base64 to_base64url to_hex to_utf8 translate typeof url_decode url_encode
    url_extract_fragment url_extract_host url_extract_parameter url_extract_path url_extract_port url_extract_protocol
    url_extract_query word_stem xxhash64 crc32`),
  // Times.
  ...listOf(`at_timezone date_trunc from_iso8601_timestamp_nanos from_unixtime from_unixtime_nanos human_readable_seconds
    millisecond parse_duration timezone_hour timezone_minute to_iso8601 to_milliseconds with_timezone year_of_week yow
    current_timezone format_datetime parse_datetime`),
  // Arrays, maps, JSON.
  ...listOf(`array_distinct array_except array_intersect array_join array_max array_min array_position array_remove
    array_sort array_union arrays_overlap cardinality combinations contains contains_sequence element_at flatten
    map map_concat map_entries map_from_entries map_keys map_values multimap_from_entries ngrams repeat sequence shuffle
    slice trim_array zip json_array_contains json_array_get json_array_length json_extract json_extract_scalar
    json_format json_parse json_size is_json_scalar`),
  // Conditions, and values of their own.
  ...listOf("try rand random uuid"),
]);

/** Whether a cluster may be sent a call; the cluster itself decides whether its values fit. */
export const isListed = (call: Call): boolean =>
  !OF_SESSION.has(call.name) && (BUILT_IN.has(call.name) || isTranslated(call));
