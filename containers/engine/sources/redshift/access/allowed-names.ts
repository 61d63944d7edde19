// The names that a bound caller's statement to Redshift may use: PostgreSQL's, and Redshift's own functions and types
// that read no table, no catalog and no setting, and run no code of anybody's.

import { ALLOWED_FUNCTIONS, isAllowedType as isAllowedToPostgres } from "../../postgres/access/allowed-names.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const FUNCTIONS = words(`
  ${/* Aggregates and windows. */ ""}
  listagg median ratio_to_report hll hll_cardinality hll_combine hll_combine_sketches hll_create_sketch
  ${/* Conditions. */ ""}
  decode nvl nvl2
  ${/* Numbers and hashes. */ ""}
  checksum crc32 dexp dlog1 dlog10 farmhash64 fnv_hash from_hex func_sha1 murmur3_32_hash sha sha1 sha2 strtol to_hex
  ${/* Texts and bytes. */ ""}
  bpcharcmp btrim charindex collate difference from_varbyte len octetindex replicate soundex textlen to_varbyte
  ${/* Times. */ ""}
  add_months convert_timezone date_cmp date_cmp_timestamp date_cmp_timestamptz date_part_year dateadd datediff getdate
  interval_cmp last_day months_between next_day timeofday timestamp_cmp timestamp_cmp_date timestamp_cmp_timestamptz
  timestamptz_cmp timestamptz_cmp_date timestamptz_cmp_timestamp
  ${/* JSON and SUPER. */ ""}
  array array_concat array_flatten can_json_parse get_array_length get_number_attributes is_array is_bigint is_boolean
  is_char is_decimal is_float is_integer is_object is_scalar is_smallint is_valid_json is_valid_json_array is_varchar
  json_array_length json_extract_array_element_text json_extract_path_text json_parse json_serialize
  json_serialize_to_varbyte json_size json_typeof lower_attribute_names object object_transform split_to_array subarray
  upper_attribute_names
`);

const TYPES = words("geography geometry hllsketch nchar nvarchar super varbinary varbyte");

/** The spatial functions all compute of their arguments. */
export const isAllowedFunction = (name: string): boolean =>
  ALLOWED_FUNCTIONS.has(name) || FUNCTIONS.has(name) || /^st_[a-z0-9]+$/.test(name);

export const isAllowedType = (name: string): boolean => TYPES.has(name) || isAllowedToPostgres(name);
