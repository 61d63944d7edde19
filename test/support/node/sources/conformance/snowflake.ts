// The fake of Snowflake for the conformance suite.

import { vi } from "vitest";
import type { Spoilt } from "../snowflake/fake-snowflake.ts";
import { FakeSnowflake } from "../snowflake/fake-snowflake.ts";
import { SNOWFLAKE } from "../snowflake/with-fake.ts";
import { sqlEdits, type SourceUnderTest, type ValueCase } from "./source-under-test.ts";

const CHUNK_ROWS = 40_000;
/** Rows have come by then, and others are still to come. */
const FAULTY_CHUNK = 1;

export async function snowflakeUnderTest(): Promise<SourceUnderTest> {
  const fake = await FakeSnowflake.start({ inlineRows: 1_000, chunkRows: CHUNK_ROWS });
  vi.stubEnv("ENGINE_SNOWFLAKE_EMULATOR", fake.url);
  vi.stubEnv("HOSTS_ALLOWED", "loopback");
  const table = (name: string) => `"PUBLIC"."${name}"`;
  const generate = (rows: number) =>
    `SELECT i, 'row ' || i AS t FROM (SELECT SEQ8() + 1 AS i FROM TABLE(GENERATOR(ROWCOUNT => ${rows})))`;
  const spoil = (spoilt: (chunks: readonly Buffer[]) => Spoilt) => () => {
    fake.faults.chunk = (index, _, chunks) => (index === FAULTY_CHUNK ? spoilt(chunks) : undefined);
  };
  return {
    source: SNOWFLAKE,
    refused: { ...SNOWFLAKE, credentials: { ...SNOWFLAKE.credentials, password: "a canary's wrong password" } },
    schema: "PUBLIC",
    folding: "upper",
    values: VALUES,
    table,
    ...sqlEdits({ run: (sql) => fake.database.execute(sql), table, quote, types: TYPES }),
    generate,
    createGenerated: (name, rows) => fake.database.execute(`CREATE VIEW ${table(name)} AS ${generate(rows)}`),
    // A statement has ended before its rows are read; who reads them holds connections to the store.
    lastBound: () => {
      const { sqlText, bindings = {} } = fake.statements.all.at(-1)!.order;
      return { sql: sqlText, values: Object.values(bindings).map(({ value }) => value) };
    },
    unheld: [],
    running: () => fake.statements.all.filter(({ isRunning }) => isRunning).length + Math.min(fake.openStoreSockets, 1),
    connections: () => fake.openSockets,
    faults: {
      closes: spoil(() => "close"),
      stalls: spoil(() => "stall"),
      truncates: spoil((chunks) => ({ body: chunks[FAULTY_CHUNK]!.subarray(0, -10) })),
      repeats: spoil((chunks) => ({ body: chunks[FAULTY_CHUNK - 1]! })),
      refuses: spoil(() => ({ status: 403 })),
      miscounts: () => {
        fake.faults.answer = ({ data }) => {
          if (typeof data?.total === "number") data.total++;
        };
      },
    },
    heal: () => fake.heal(),
    mergeMethod: /^\d+ of \d+ ranges had changed$/,
    async close() {
      vi.unstubAllEnvs();
      await fake.close();
    },
  };
}

const quote = (identifier: string): string => `"${identifier}"`;

const TYPES = {
  bigint: "NUMBER(18,0)",
  text: "VARCHAR(200)",
  decimal: "NUMBER(18,4)",
  double: "FLOAT",
  timestamp: "TIMESTAMP_NTZ(6)",
  date: "DATE",
};

const VALUES: ValueCase[] = [
  { declared: "NUMBER(9,0)", kind: "integer", lake: "int32", values: [["-999999999", "-999999999"]] },
  { declared: "NUMBER(18,0)", kind: "bigint", lake: "int64", values: [["-999999999999999999", "-999999999999999999"]] },
  {
    declared: "NUMBER(38,0)",
    kind: "decimal",
    lake: "decimal(38,0)",
    values: [["99999999999999999999999999999999999999", "99999999999999999999999999999999999999"]],
  },
  {
    declared: "NUMBER(38,10)",
    kind: "decimal",
    lake: "decimal(38,10)",
    values: [["-9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999"]],
  },
  {
    declared: "FLOAT",
    kind: "float",
    lake: "float64",
    values: [
      ["-1.7976931348623157e308", "-1.7976931348623157e+308"],
      ["'NaN'", "NaN", "nan"],
      ["'inf'", "Infinity", "inf"],
      ["'-inf'", "-Infinity", "-inf"],
    ],
  },
  { declared: "BOOLEAN", kind: "boolean", lake: "boolean", values: [["TRUE", "true"]] },
  {
    declared: "DATE",
    kind: "date",
    lake: "date",
    values: [
      ["'9999-12-31'", "9999-12-31"],
      ["'0001-01-01'", "0001-01-01"],
    ],
  },
  { declared: "TIME", kind: "time", lake: "time", values: [["'23:59:59.999999'", "23:59:59.999999"]] },
  {
    declared: "TIMESTAMP_NTZ(6)",
    kind: "timestamp",
    lake: "timestamp",
    values: [
      ["'9999-12-31 23:59:59.999999'", "9999-12-31T23:59:59.999999", "9999-12-31 23:59:59.999999"],
      ["'1582-10-15 00:00:00'", "1582-10-15T00:00:00", "1582-10-15 00:00:00"],
    ],
  },
  {
    declared: "TIMESTAMP_NTZ(9)",
    kind: "timestamp",
    lake: "timestamp",
    values: [["'2026-01-31 10:00:00.123456'", "2026-01-31T10:00:00.123456", "2026-01-31 10:00:00.123456"]],
  },
  {
    declared: "TIMESTAMP_LTZ(6)",
    kind: "timestamptz",
    lake: "timestamptz",
    values: [["'2026-01-31 10:00:00.5-08'", "2026-01-31T18:00:00.5Z", "2026-01-31 18:00:00.5+00"]],
  },
  {
    declared: "TIMESTAMP_TZ(6)",
    kind: "timestamptz",
    lake: "timestamptz",
    values: [["'2026-01-31 10:00:00.5+05:45'", "2026-01-31T04:15:00.5Z", "2026-01-31 04:15:00.5+00"]],
  },
  { declared: "BINARY", kind: "binary", lake: "blob", values: [["TO_BINARY('00FF')", "AP8=", "\\x00\\xFF"]] },
  {
    declared: "VARCHAR",
    kind: "text",
    lake: "varchar",
    values: [
      ["''", ""],
      ["'NULL'", "NULL"],
      ["'𝕊 \"quoted\", ü'", '𝕊 "quoted", ü'],
    ],
  },
  { declared: "VARIANT", kind: "json", lake: "json", values: [["'{\"a\":[1,null]}'", '{"a":[1,null]}']] },
];
