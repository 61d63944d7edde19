// The registry of the lake's types against the running DuckDB: its names, the width of its vectors, and what a Parquet
// file makes of its values.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCALAR_TYPES, scalarType, type ScalarName } from "../../../kernel/lake/lake-types.ts";
import { lakeColumn } from "../../../containers/engine/lake/process/column-types.ts";

/** A value of each type that a narrower or coarser type would not hold. */
const VALUES: Record<ScalarName, string> = {
  boolean: "true",
  int8: "-128",
  int16: "-32768",
  int32: "-2147483648",
  int64: "-9223372036854775808",
  int128: "170141183460469231731687303715884105727",
  uint8: "255",
  uint16: "65535",
  uint32: "4294967295",
  uint64: "18446744073709551615",
  uint128: "340282366920938463463374607431768211455",
  float32: "0.1",
  float64: "0.1",
  date: "2026-01-31",
  time: "10:00:00.000001",
  timetz: "10:00:00.000001+05:30",
  timestamp: "2026-01-31 10:00:00.000001",
  timestamp_s: "2026-01-31 10:00:01",
  timestamp_ms: "2026-01-31 10:00:00.001",
  timestamp_ns: "2026-01-31 10:00:00.000000001",
  timestamptz: "2026-01-31 10:00:00.000001+00",
  interval: "1 month 2 days 00:00:00.000001",
  varchar: "é",
  json: '{"a": 1}',
  blob: "\\xAB",
  uuid: "0b0a4c0e-6f2f-4a5e-9a2c-4c2d1f3e5a77",
};

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-types-"));
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(async () => {
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true, force: true });
});

const names = Object.keys(SCALAR_TYPES) as ScalarName[];

describe.each([...names.map((name) => [name, VALUES[name]] as const), ["decimal(38,2)", "0.01"] as const])(
  "the type %s",
  (name, value) => {
    const type = scalarType(name)!;
    const cell = `CAST('${value}' AS ${type.duckdb})`;

    it("is found again from DuckDB's own, unless Parquet can't hold it", async () => {
      const result = await connection.run(`SELECT ${cell} AS c`);
      const found = lakeColumn("c", result.columnType(0))?.type;
      if (type.isExactInParquet) expect(found).toBe(name);
      else expect(found).not.toBe(name);
    });

    it("comes back from a Parquet file as it was exactly where the registry says so", async () => {
      const file = join(folder, `${name.replace(/\W/g, "_")}.parquet`);
      await connection.run(`COPY (SELECT ${cell} AS c) TO '${file}' (FORMAT parquet)`);
      const reader = await connection.runAndReadAll(
        `SELECT CAST(TRY_CAST(c AS ${type.duckdb}) AS VARCHAR) IS NOT DISTINCT FROM CAST(${cell} AS VARCHAR) FROM '${file}'`,
      );
      expect(reader.getRows()).toEqual([[type.isExactInParquet]]);
    });

    it("is promoted only to types that hold each of its values", async () => {
      for (const wider of type.promotesTo) {
        const reader = await connection.runAndReadAll(
          `SELECT CAST(CAST(${cell} AS ${scalarType(wider)!.duckdb}) AS ${type.duckdb}) = ${cell}`,
        );
        expect(reader.getRows()).toEqual([[true]]);
      }
    });
  },
);

it("knows no type that is not one of these", () => {
  for (const name of ["decimal", "decimal(3)", "text", "toString", "list", "TIMESTAMP", ""])
    expect(scalarType(name)).toBeUndefined();
});
