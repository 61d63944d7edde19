// The functions that statements on the lake may call, held to those that the running DuckDB has: each was judged.

import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { foldName } from "../../../containers/engine/duckdb/names.ts";
import { Gate } from "../../../containers/engine/lake/sql/gate.ts";
import { ALLOWED_FUNCTIONS } from "../../../containers/engine/lake/sql/gate-functions.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Judged, and not allowed; beside these all that begin with `__internal_`. */
const REFUSED = new Set([
  // Settings, variables, sequences, the session and its log.
  ...words("current_setting getvariable nextval currval setseed current_query current_query_id current_connection_id"),
  ...words("current_transaction_id txid_current in_search_path write_log parse_duckdb_log_message get_block_size"),
  // Wait without working.
  ...words("sleep_ms pg_sleep"),
  // Plan other SQL, or show how relations are defined.
  ...words("json_serialize_plan pg_get_viewdef pg_get_constraintdef pg_get_expr"),
  // Building blocks that trust what they are given.
  ...words("stats vector_type combine finalize create_sort_key remap_struct variant_bytes_to_variant"),
  ...words("variant_to_parquet_variant variant_normalize timetz_byte_comparable constant_or_null cast_to_type"),
  ...words("can_cast_implicitly"),
]);

/** The parser makes functions of these; DuckDB does not list them. */
const PARSED = ["unnest", "grouping", "grouping_id", "columns"];

/** Scalars, aggregates and macros, also of the extensions that come with it. */
async function functionsOf(setup: readonly string[] = []): Promise<string[]> {
  const instance = await DuckDBInstance.create(":memory:", { autoload_known_extensions: "false" });
  const connection = await instance.connect();
  try {
    for (const sql of setup) await connection.run(sql);
    const found = await connection.runAndReadAll(
      "SELECT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro')",
    );
    return [...new Set(found.getRows().map(([name]) => foldName(String(name))))];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const isJudged = (name: string): boolean =>
  ALLOWED_FUNCTIONS.has(name) || REFUSED.has(name) || name.startsWith("__internal_");
const unjudged = (names: readonly string[]): string[] => names.filter((name) => !isJudged(name));

it("each function of DuckDB was judged, in one way", async () => {
  const there = await functionsOf();
  expect(there.length).toBeGreaterThan(800);
  expect(unjudged(there)).toEqual([]);
  expect([...ALLOWED_FUNCTIONS].filter((name) => REFUSED.has(name))).toEqual([]);
});

it("nothing was judged that DuckDB does not have", async () => {
  const there = new Set([...(await functionsOf()), ...PARSED]);
  expect([...ALLOWED_FUNCTIONS, ...REFUSED].filter((name) => !there.has(name))).toEqual([]);
});

it("a function that nobody judged is found here, and refused by the gate", async () => {
  expect(unjudged(await functionsOf(["CREATE MACRO brand_new(x) AS x"]))).toEqual(["brand_new"]);
  const gate = await Gate.open();
  for (const name of ["brand_new", ...REFUSED])
    await expect(gate.analyse(`SELECT ${name}(1)`)).rejects.toMatchObject({ code: "statement_refused" });
});
