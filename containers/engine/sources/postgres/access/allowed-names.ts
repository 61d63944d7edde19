// Lists of the names that a bound caller's statement may use. Other names may read what roles hide, or tell its name,
// and are refused whether they exist or not.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Functions of `pg_catalog`, by name. None of them, with whatever arguments, reads a table, the catalog, settings or
 * sizes, runs SQL given as text, or takes or gives names of database objects (`regclass` and its like).
 */
export const ALLOWED_FUNCTIONS = words(`
  ${/* Aggregates and windows. */ ""}
  any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp cume_dist dense_rank
  every first_value json_agg json_object_agg jsonb_agg jsonb_object_agg lag last_value lead max min mode nth_value ntile
  percent_rank percentile_cont percentile_disc range_agg range_intersect_agg rank regr_avgx regr_avgy regr_count
  regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy row_number stddev stddev_pop stddev_samp string_agg sum
  var_pop var_samp variance
  ${/* Numbers. */ ""}
  abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh bit_count cbrt ceil ceiling cos cosd cosh cot cotd
  degrees div erf erfc exp factorial floor gcd lcm ln log log10 min_scale mod pi pow power radians random random_normal
  round scale sign sin sind sinh sqrt tan tand tanh to_bin to_hex to_number to_oct trim_scale trunc width_bucket
  ${/* Texts and bytes. */ ""}
  ascii bit_length btrim casefold char_length character_length chr concat concat_ws convert convert_from convert_to crc32
  crc32c decode encode format get_bit get_byte initcap is_normalized left length like_escape lower lpad ltrim md5
  normalize octet_length overlay parse_ident position quote_ident quote_literal quote_nullable regexp_count regexp_instr
  regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr
  repeat replace reverse right rpad rtrim set_bit set_byte sha224 sha256 sha384 sha512 similar_escape similar_to_escape
  split_part starts_with string_to_array string_to_table strpos substr substring to_ascii to_char translate unistr upper
  ${/* Times. */ ""}
  age clock_timestamp date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days justify_hours
  justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps statement_timestamp
  timezone to_date to_timestamp transaction_timestamp
  ${/* Arrays, sets, ranges. */ ""}
  array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions
  array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort array_to_string
  array_upper cardinality daterange datemultirange generate_series generate_subscripts int4multirange int4range
  int8multirange int8range isempty lower_inc lower_inf multirange num_nonnulls num_nulls nummultirange numrange
  range_merge trim_array tsmultirange tsrange tstzmultirange tstzrange unnest upper_inc upper_inf
  ${/* JSON. */ ""}
  array_to_json json_array_elements json_array_elements_text json_array_length json_build_array json_build_object
  json_each json_each_text json_extract_path json_extract_path_text json_object json_object_keys json_strip_nulls
  json_to_record json_to_recordset json_typeof jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text
  jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match
  jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first
  jsonb_path_query_first_tz jsonb_path_query_tz jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record
  jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb
  ${/* Full text, networks, shapes, identifiers. */ ""}
  numnode phraseto_tsquery plainto_tsquery querytree setweight strip to_tsquery to_tsvector ts_delete ts_filter
  ts_headline ts_rank ts_rank_cd tsquery_phrase tsvector_to_array websearch_to_tsquery abbrev broadcast family host
  hostmask inet_merge inet_same_family macaddr8_set7bit masklen netmask network set_masklen area bound_box box center
  circle diameter height isclosed ishorizontal isopen isparallel isperp isvertical line lseg npoints path pclose point
  polygon popen radius slope width gen_random_uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7
  ${/* Casts, written as calls. */ ""}
  bit bool bpchar char date float4 float8 int2 int4 int8 interval inet cidr jsonb macaddr macaddr8 money name numeric
  oid text time timestamp timestamptz timetz varbit varchar xml
`);

const ALLOWED_TYPES = words(`
  bit bool box bpchar bytea char cidr circle date datemultirange daterange float4 float8 inet int2 int4 int4multirange
  int4range int8 int8multirange int8range interval json jsonb jsonpath line lseg macaddr macaddr8 money name numeric
  nummultirange numrange oid path point polygon text time timestamp timestamptz timetz tsmultirange tsquery tsrange
  tstzmultirange tstzrange tsvector uuid varbit varchar
`);

/** `_int4` is an array of `int4`. */
export const isAllowedType = (name: string): boolean => ALLOWED_TYPES.has(name.replace(/^_/, ""));

/** Kinds of nodes of PostgreSQL's parse tree. */
export const ALLOWED_NODES = words(`
  A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BoolExpr BooleanTest CTECycleClause CTESearchClause
  CaseExpr CaseWhen CoalesceExpr CollateClause ColumnDef ColumnRef CommonTableExpr FuncCall GroupingFunc GroupingSet
  Integer JoinExpr List MinMaxExpr NamedArgExpr NullTest ParamRef RangeFunction RangeSubselect RangeVar ResTarget RowExpr
  SQLValueFunction SelectStmt SortBy String SubLink TypeCast TypeName WindowDef WithClause
`);

/** The SQL words for kinds of nodes that are not allowed and that a caller may write. */
export const SQL_WORDS: Readonly<Record<string, string>> = {
  JsonArrayAgg: "JSON_ARRAYAGG",
  JsonArrayConstructor: "JSON_ARRAY",
  JsonArrayQueryConstructor: "JSON_ARRAY",
  JsonFuncExpr: "JSON_EXISTS, JSON_QUERY or JSON_VALUE",
  JsonIsPredicate: "IS JSON",
  JsonObjectAgg: "JSON_OBJECTAGG",
  JsonObjectConstructor: "JSON_OBJECT",
  JsonParseExpr: "JSON as a function",
  JsonScalarExpr: "JSON_SCALAR",
  JsonSerializeExpr: "JSON_SERIALIZE",
  JsonTable: "JSON_TABLE",
  MergeSupportFunc: "MERGE_ACTION",
  RangeTableFunc: "XMLTABLE",
  RangeTableSample: "TABLESAMPLE",
  SetToDefault: "DEFAULT",
  XmlExpr: "XMLELEMENT, XMLFOREST, XMLPARSE and what else makes XML",
  XmlSerialize: "XMLSERIALIZE",
};

/** The words that are values; those for names of users, schemas and the database are not among them. */
export const ALLOWED_VALUE_WORDS = /^SVFOP_(CURRENT_DATE|(CURRENT|LOCAL)_?TIME(STAMP)?(_N)?)$/;
