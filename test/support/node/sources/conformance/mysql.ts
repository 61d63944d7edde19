// The tests' MariaDB for the conformance suite.

import { inject } from "vitest";
import { connectMariadb, mariadbSource } from "../sources.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import { sqlEdits, type SourceUnderTest, type ValueCase } from "./source-under-test.ts";

const FAULT_BYTES = 300_000;

export async function mysqlUnderTest(): Promise<SourceUnderTest> {
  const server = inject("mariadb");
  const database = `conformance_${process.pid}`;
  const [root, proxy] = await Promise.all([connectMariadb(server), startFaultProxy(server)]);
  await root.query(
    `DROP DATABASE IF EXISTS ${database}; CREATE DATABASE ${database} CHARACTER SET utf8mb4; USE ${database}`,
  );
  const source = mariadbSource({ ...server, host: "127.0.0.1", port: Number(proxy.port) }, database);
  const table = (name: string) => `${database}.${quote(name)}`;
  const generate = (rows: number) => `SELECT seq AS i, CONCAT('row ', seq) AS t FROM seq_1_to_${rows}`;
  return {
    source,
    refused: { ...source, credentials: { ...source.credentials, password: "a canary's wrong password" } },
    schema: database,
    folding: "exact",
    values: VALUES,
    table,
    ...sqlEdits({ run: (sql) => root.query(sql), table, quote, types: TYPES }),
    generate,
    async createGenerated(name, rows) {
      await root.query(`CREATE VIEW ${table(name)} AS ${generate(rows)}`);
    },
    lastBound: undefined,
    unheld: [],
    async running() {
      const [rows] = await root.query(
        `SELECT id FROM information_schema.processlist WHERE db = '${database}' AND command = 'Query' AND id <> CONNECTION_ID()`,
      );
      return (rows as unknown[]).length;
    },
    connections: proxy.connections,
    faults: { closes: () => proxy.close(FAULT_BYTES), stalls: () => proxy.stall(FAULT_BYTES) },
    heal: proxy.heal,
    mergeMethod: /^\d+ of \d+ ranges had changed$/,
    async close() {
      await root.query(`DROP DATABASE ${database}`);
      await root.end();
      await proxy.stop();
    },
  };
}

const quote = (identifier: string): string => `\`${identifier}\``;

const TYPES = {
  bigint: "bigint",
  text: "varchar(200)",
  decimal: "decimal(18,4)",
  double: "double",
  timestamp: "datetime(6)",
  date: "date",
};

const VALUES: ValueCase[] = [
  { declared: "bigint", kind: "bigint", lake: "int64", values: [["-9223372036854775808", "-9223372036854775808"]] },
  {
    declared: "bigint unsigned",
    kind: "bigint",
    lake: "decimal(20,0)",
    values: [["18446744073709551615", "18446744073709551615"]],
  },
  {
    declared: "decimal(38,10)",
    kind: "decimal",
    lake: "decimal(38,10)",
    values: [["-9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999"]],
  },
  {
    declared: "double",
    kind: "float",
    lake: "float64",
    values: [["-1.7976931348623157e308", "-1.7976931348623157e308", "-1.7976931348623157e+308"]],
  },
  {
    declared: "datetime(6)",
    kind: "timestamp",
    lake: "timestamp",
    values: [["'9999-12-31 23:59:59.999999'", "9999-12-31T23:59:59.999999", "9999-12-31 23:59:59.999999"]],
  },
  { declared: "blob", kind: "binary", lake: "blob", values: [["X'00FF'", "AP8=", "\\x00\\xFF"]] },
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
