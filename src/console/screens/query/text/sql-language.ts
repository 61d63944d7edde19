// SQL in the editor: the words of the database that is asked, and completion of its tables, columns and functions.

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  autocompletion,
} from "@codemirror/autocomplete";
import { MySQL, MSSQL, PostgreSQL, sql, SQLDialect, StandardSQL } from "@codemirror/lang-sql";
import type { Extension } from "@codemirror/state";
import { DIALECTS, type DatabaseKind } from "./dialects.ts";
import { parameterNames } from "./statements.ts";

const DUCKDB_WORDS =
  " pivot unpivot qualify asof anti semi positional sample summarize describe macro struct map exclude replace columns try_cast ilike glob at snapshot";
const DUCKDB = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: (PostgreSQL.spec.keywords ?? "") + DUCKDB_WORDS,
  types:
    (PostgreSQL.spec.types ?? "") + " hugeint uhugeint ubigint uinteger usmallint utinyint tinyint double blob variant",
});

const LANGUAGES: Record<DatabaseKind, SQLDialect> = {
  lake: DUCKDB,
  postgres: PostgreSQL,
  redshift: PostgreSQL,
  mysql: MySQL,
  sqlserver: MSSQL,
  bigquery: StandardSQL,
  snowflake: StandardSQL,
};

const COMMON =
  "count sum avg min max coalesce nullif round abs floor ceil lower upper trim length substring replace cast row_number rank dense_rank lag lead first_value last_value";
const FUNCTIONS: Record<DatabaseKind, string> = {
  lake: `${COMMON} any_value approx_count_distinct approx_quantile arg_max arg_min array_agg bool_and bool_or concat concat_ws contains corr current_date date_diff date_part date_trunc datediff datetrunc dayname dayofweek dayofyear epoch epoch_ms extract first format generate_series greatest hash histogram if ifnull isfinite json_extract json_extract_string last least left len list list_aggregate list_contains list_distinct list_filter list_sort list_transform ln log make_date make_timestamp map_keys map_values md5 median mode monthname now ntile percent_rank pi power printf quantile quantile_cont random range regexp_extract regexp_matches regexp_replace reverse right rpad lpad sign split_part sqrt starts_with stddev string_agg string_split strftime strptime struct_pack time_bucket to_days today try_strptime typeof unnest uuid var_pop variance year month day hour minute`,
  postgres: `${COMMON} age array_agg bool_and bool_or concat concat_ws date_part date_trunc extract format generate_series greatest jsonb_agg jsonb_array_elements jsonb_build_object jsonb_extract_path least left now percentile_cont position power random regexp_match regexp_replace right split_part sqrt stddev string_agg to_char to_date to_timestamp unnest variance`,
  redshift: `${COMMON} approximate date_part date_trunc dateadd datediff decode extract getdate greatest json_extract_path_text least left listagg median nvl percentile_cont power right split_part sqrt stddev to_char to_date`,
  mysql: `${COMMON} concat concat_ws curdate date date_add date_format date_sub datediff dayofweek extract from_unixtime greatest group_concat if ifnull json_extract json_unquote least left month now power right sqrt stddev str_to_date substring_index timestampdiff unix_timestamp year`,
  sqlserver: `${COMMON} charindex concat convert datediff dateadd datename datepart eomonth format getdate iif isnull left len month power right sqrt stdev string_agg stuff sysdatetime try_cast try_convert year`,
  bigquery: `${COMMON} any_value approx_count_distinct approx_quantiles array_agg concat current_date current_timestamp date_add date_diff date_trunc extract farm_fingerprint format_date format_timestamp generate_array greatest ifnull json_value least parse_date safe_cast safe_divide split string_agg timestamp_diff timestamp_trunc unnest`,
  snowflake: `${COMMON} any_value approx_count_distinct array_agg concat current_date dateadd datediff date_trunc decode extract flatten greatest iff ifnull least listagg median nvl object_construct parse_json percentile_cont split_part to_char to_date to_timestamp try_cast zeroifnull`,
};

export type CompletedTable = { schema: string; name: string; columns: readonly { name: string; type: string }[] };

/** `tables` is asked each time, so that what was loaded meanwhile is there. */
export type CompletionSource = { kind: DatabaseKind; catalog: string | undefined; tables(): readonly CompletedTable[] };

export function sqlLanguage(source: CompletionSource): Extension {
  const dialect = LANGUAGES[source.kind];
  return [
    sql({ dialect, upperCaseKeywords: true }),
    dialect.language.data.of({ autocomplete: (context: CompletionContext) => complete(context, source) }),
    autocompletion({ activateOnTyping: true, maxRenderedOptions: 80 }),
  ];
}

const TABLE_WORDS = /\b(from|join|into|update|table|describe|summarize)\s+[\w."`]*$/i;

function complete(context: CompletionContext, source: CompletionSource): CompletionResult | null {
  const text = context.state.doc.toString();
  const parameter = context.matchBefore(/\$\w*/);
  if (parameter) {
    const options = parameterNames(text).map((name) => ({ label: `$${name}`, type: "variable" }));
    return { from: parameter.from, options };
  }
  const path = context.matchBefore(/[\w"`]+(\.[\w"`]*)*/);
  if (!path && !context.explicit) return null;
  const from = path?.from ?? context.pos;
  const parts = (path?.text ?? "").replaceAll(/["`]/g, "").split(".");
  const isTablePlace = TABLE_WORDS.test(context.state.doc.sliceString(Math.max(0, context.pos - 300), context.pos));
  const tables = source.tables();
  if (parts.length > 1) return afterDot(context, { parts: parts.slice(0, -1), tables, text, source });
  return {
    from,
    options: isTablePlace
      ? tableOptions(tables, source)
      : [
          ...columnOptions(mentioned(tables, text), source),
          ...functionOptions(source),
          ...tableOptions(tables, source, -10),
        ],
    validFor: /^\w*$/,
  };
}

type Dotted = { parts: string[]; tables: readonly CompletedTable[]; text: string; source: CompletionSource };

function afterDot(context: CompletionContext, { parts, tables, text, source }: Dotted): CompletionResult | null {
  const from = context.pos - (context.matchBefore(/[\w"`]*/)?.text.length ?? 0);
  const path = parts.map((part) => part.toLowerCase());
  if (source.catalog && path[0] === source.catalog.toLowerCase()) path.shift();
  const { quoteName } = DIALECTS[source.kind];
  const spelled = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoteName(name));
  const same = (a: string, b: string | undefined) => a.toLowerCase() === b;
  const options: Completion[] = [];
  if (path.length === 0)
    for (const schema of new Set(tables.map((table) => table.schema)))
      options.push({ label: schema, apply: spelled(schema), type: "namespace" });
  if (path.length === 1) {
    for (const table of tables.filter(({ schema }) => same(schema, path[0])))
      options.push({ label: table.name, apply: spelled(table.name), type: "class" });
    const alias = aliasedTable(text, path[0]!);
    for (const table of tables.filter(({ name }) => same(name, alias ?? path[0])))
      options.push(...columnOptions([table], source));
  }
  if (path.length === 2)
    options.push(
      ...columnOptions(
        tables.filter(({ schema, name }) => same(schema, path[0]) && same(name, path[1])),
        source,
      ),
    );
  return { from, options, validFor: /^\w*$/ };
}

/** The table that an alias of the text stands for. */
function aliasedTable(text: string, alias: string): string | undefined {
  const escaped = alias.replace(/\W/g, "");
  const found = new RegExp(`\\b(?:from|join|,)\\s+([\\w."\`]+)\\s+(?:as\\s+)?${escaped}\\b`, "i").exec(text);
  return found?.[1]?.replaceAll(/["`]/g, "").split(".").at(-1)?.toLowerCase();
}

export const mentioned = <Table extends { name: string }>(tables: readonly Table[], text: string): Table[] => {
  const words = new Set(text.toLowerCase().split(/[^\w$-]+/));
  return tables.filter(({ name }) => words.has(name.toLowerCase()));
};

function columnOptions(tables: readonly CompletedTable[], { kind }: CompletionSource): Completion[] {
  const { quoteName } = DIALECTS[kind];
  return tables.flatMap((table) =>
    table.columns.map(({ name, type }) => ({
      label: name,
      apply: /^[A-Za-z_]\w*$/.test(name) ? name : quoteName(name),
      detail: `${type.toLowerCase()} · ${table.name}`,
      type: "property",
      boost: 20,
    })),
  );
}

function tableOptions(
  tables: readonly CompletedTable[],
  { kind, catalog }: CompletionSource,
  boost = 10,
): Completion[] {
  return tables.map((table) => ({
    label: table.name,
    apply: pathOf(table, kind, catalog),
    detail: table.schema,
    type: "class",
    boost,
  }));
}

/** A table's whole name as a statement writes it. */
export function pathOf(
  { schema, name }: { schema: string; name: string },
  kind: DatabaseKind,
  catalog?: string,
): string {
  const { quoteName } = DIALECTS[kind];
  const spelled = [schema, name].map((part) => (/^[A-Za-z_]\w*$/.test(part) ? part : quoteName(part)));
  return [...(catalog ? [catalog] : []), ...spelled].join(".");
}

const functionOptions = ({ kind }: CompletionSource): Completion[] =>
  FUNCTIONS[kind].split(" ").map((name) => ({ label: name, apply: `${name}(`, type: "function" }));
