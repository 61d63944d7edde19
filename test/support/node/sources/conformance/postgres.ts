// The tests' PostgreSQL for the conformance suite.

import { ownPostgres, connectPostgres, postgresSource } from "../sources.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { sqlEdits, type SourceUnderTest, type ValueCase } from "./source-under-test.ts";

const SCHEMA = "conformance";
const FAULT_BYTES = 300_000;

export async function postgresUnderTest(): Promise<SourceUnderTest> {
  const server = ownPostgres();
  const [client, proxy] = await Promise.all([connectPostgres(server), startFaultProxy(server)]);
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE; CREATE SCHEMA ${SCHEMA}; SET timezone = 'UTC'`);
  const source = postgresSource(server, { host: "127.0.0.1", port: proxy.port });
  const table = (name: string) => `${SCHEMA}.${quote(name)}`;
  const generate = (rows: number) => `SELECT i, 'row ' || i AS t FROM generate_series(1, ${rows}::bigint) AS g(i)`;
  return {
    source,
    refused: postgresSource(server, { host: "127.0.0.1", port: proxy.port, password: "a canary's wrong password" }),
    schema: SCHEMA,
    folding: "exact",
    values: VALUES,
    table,
    ...sqlEdits({ run: (sql) => client.query(sql), table, quote, types: TYPES }),
    generate,
    async createGenerated(name, rows) {
      await client.query(`CREATE VIEW ${table(name)} AS ${generate(rows)}`);
    },
    lastBound: undefined,
    unheld: ["NUL"],
    async running() {
      const { rowCount } = await client.query(
        "SELECT FROM pg_stat_activity WHERE application_name LIKE 'fjord%' AND state = 'active'",
      );
      return rowCount ?? 0;
    },
    connections: proxy.connections,
    faults: { closes: () => proxy.close(FAULT_BYTES), stalls: () => proxy.stall(FAULT_BYTES) },
    heal: proxy.heal,
    mergeMethod: /^rows written since the last run$/,
    async close() {
      await client.query(`DROP SCHEMA ${SCHEMA} CASCADE`);
      await client.end();
      await proxy.stop();
    },
  };
}

const quote = (identifier: string): string => `"${identifier}"`;

const TYPES = {
  bigint: "bigint",
  text: "varchar(200)",
  decimal: "numeric(18,4)",
  double: "double precision",
  timestamp: "timestamp",
  date: "date",
};

const VALUES: ValueCase[] = [
  { declared: "bigint", kind: "bigint", lake: "int64", values: [["-9223372036854775808", "-9223372036854775808"]] },
  {
    declared: "numeric(38,10)",
    kind: "decimal",
    lake: "decimal(38,10)",
    values: [["-9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999"]],
  },
  {
    declared: "double precision",
    kind: "float",
    lake: "float64",
    values: [
      ["'NaN'", "NaN", "nan"],
      ["'-Infinity'", "-Infinity", "-inf"],
      ["'-0'", "-0", "-0.0"],
    ],
  },
  {
    declared: "timestamptz",
    kind: "timestamptz",
    lake: "timestamptz",
    values: [["'2026-01-31 10:00:00.123456+01'", "2026-01-31T09:00:00.123456Z", "2026-01-31 09:00:00.123456+00"]],
  },
  { declared: "bytea", kind: "binary", lake: "blob", values: [["'\\x00ff'", "AP8=", "\\x00\\xFF"]] },
  { declared: "jsonb", kind: "json", lake: "json", values: [[`'{"a":[1,null]}'`, '{"a": [1, null]}']] },
  {
    declared: "text",
    kind: "text",
    lake: "varchar",
    values: [
      ["''", ""],
      ["'𝕊 \"quoted\", ü'", '𝕊 "quoted", ü'],
    ],
  },
];
