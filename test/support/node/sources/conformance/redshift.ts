// The fake of Redshift for the conformance suite.

import type { Server } from "../../servers/server.ts";
import { FakeRedshift } from "../redshift/fake-redshift.ts";
import { ownPostgres } from "../sources.ts";
import { sqlEdits, type SourceUnderTest, type ValueCase } from "./source-under-test.ts";

const SCHEMA = "conformance";
const FAULT_ROW = 20_000;

/** `server`: the PostgreSQL that evaluates its statements. */
export async function redshiftUnderTest(server: Server = ownPostgres()): Promise<SourceUnderTest> {
  const fake = await FakeRedshift.start(server);
  const { admin, database } = fake;
  await admin.query(`CREATE SCHEMA ${SCHEMA}; SET timezone = 'UTC'`);
  const table = (name: string) => `${SCHEMA}.${quote(name)}`;
  const generate = (rows: number) => `SELECT i, 'row ' || i AS t FROM generated_numbers(${rows}) AS g(i)`;
  return {
    source: fake.source(),
    refused: fake.source({ password: "a canary's wrong password" }),
    schema: SCHEMA,
    folding: "lower",
    values: VALUES,
    table,
    ...sqlEdits({ run: (sql) => admin.query(sql), table, quote, types: TYPES }),
    generate,
    async createGenerated(name, rows) {
      await admin.query(`CREATE VIEW ${table(name)} AS ${generate(rows)}`);
    },
    lastBound: () => ({ sql: fake.statements.at(-1)!, values: fake.bound }),
    unheld: ["NUL", "more than 65,535 bytes"],
    async running() {
      const { rowCount } = await admin.query(
        `SELECT FROM pg_stat_activity
        WHERE datname = '${database}' AND application_name LIKE 'fjord%' AND state = 'active'`,
      );
      return rowCount ?? 0;
    },
    connections: () => fake.sessions,
    faults: {
      closes: () => void (fake.fault = { kind: "close", row: FAULT_ROW }),
      lies: () => void (fake.fault = { kind: "huge", row: FAULT_ROW }),
      stalls: () => void (fake.fault = { kind: "stall", row: FAULT_ROW }),
    },
    heal: () => void (fake.fault = undefined),
    mergeMethod: /^\d+ of \d+ ranges had changed$/,
    close: () => fake.close(),
  };
}

const quote = (identifier: string): string => `"${identifier}"`;

const TYPES = {
  bigint: "bigint",
  text: "varchar(200)",
  decimal: "decimal(18,4)",
  double: "double precision",
  timestamp: "timestamp",
  date: "date",
};

const VALUES: ValueCase[] = [
  { declared: "smallint", kind: "integer", lake: "int16", values: [["-32768", "-32768"]] },
  { declared: "bigint", kind: "bigint", lake: "int64", values: [["-9223372036854775808", "-9223372036854775808"]] },
  {
    declared: "decimal(38,10)",
    kind: "decimal",
    lake: "decimal(38,10)",
    values: [["-9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999"]],
  },
  {
    declared: "real",
    kind: "float",
    lake: "float32",
    values: [
      ["'1.17549435e-38'", "1.1754944e-38"],
      ["'16777217'", "16777216", "16777216.0"],
    ],
  },
  {
    declared: "double precision",
    kind: "float",
    lake: "float64",
    values: [
      ["'NaN'", "NaN", "nan"],
      ["'-Infinity'", "-Infinity", "-inf"],
      ["'-0'", "-0", "-0.0"],
      ["'0.30000000000000004'", "0.30000000000000004"],
    ],
  },
  { declared: "boolean", kind: "boolean", lake: "boolean", values: [["true", "true"]] },
  { declared: "date", kind: "date", lake: "date", values: [["'0001-01-01'", "0001-01-01"]] },
  { declared: "time", kind: "time", lake: "time", values: [["'23:59:59.999999'", "23:59:59.999999"]] },
  { declared: "timetz", kind: "text", lake: "varchar", values: [["'10:00:00.5+02'", "10:00:00.5+02"]] },
  {
    declared: "timestamp",
    kind: "timestamp",
    lake: "timestamp",
    values: [["'9999-12-31 23:59:59.999999'", "9999-12-31T23:59:59.999999", "9999-12-31 23:59:59.999999"]],
  },
  {
    declared: "timestamptz",
    kind: "timestamptz",
    lake: "timestamptz",
    values: [["'2026-01-31 10:00:00.123456+01'", "2026-01-31T09:00:00.123456Z", "2026-01-31 09:00:00.123456+00"]],
  },
  { declared: "varbyte", kind: "binary", lake: "blob", values: [["from_hex('00ff')", "AP8=", "\\x00\\xFF"]] },
  { declared: "super", kind: "json", lake: "json", values: [[`json_parse('{"a": [1, null]}')`, '{"a": [1, null]}']] },
  {
    declared: "varchar(40)",
    kind: "text",
    lake: "varchar",
    values: [
      ["''", ""],
      ["'𝕊 \"quoted\", ü '", '𝕊 "quoted", ü '],
    ],
  },
];
