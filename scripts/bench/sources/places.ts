// The databases that connectors are measured against, each with the same table: real ones, and for the services that
// nobody can run at home the fakes of the tests.

import type { Source } from "../../../kernel/wire/source.ts";
import { startMariadb } from "../../../test/support/node/servers/mariadb.ts";
import { startPostgres } from "../../../test/support/node/servers/postgres.ts";
import { FakeBigquery } from "../../../test/support/node/sources/bigquery/fake-bigquery.ts";
import { FakeRedshift } from "../../../test/support/node/sources/redshift/fake-redshift.ts";
import { CREDENTIALS } from "../../../test/support/node/sources/snowflake/fake-sessions.ts";
import { FakeSnowflake } from "../../../test/support/node/sources/snowflake/fake-snowflake.ts";
import { encodedAnswer } from "../../../test/support/node/sources/sqlserver/encoded-answer.ts";
import { FakeSqlServer } from "../../../test/support/node/sources/sqlserver/fake-sqlserver.ts";
import { connectMariadb, connectPostgres } from "../sync/tables.ts";

export type Place = {
  /** For people. */
  name: string;
  source: Source;
  schema: string;
  table: string;
  sql: string;
  rows: number;
  /** The environment of the process that reads. */
  environment?: NodeJS.ProcessEnv;
  emulator?: { url: string; token?(): string | undefined };
  stop(): Promise<unknown>;
};

/** Rows of a fake: the fake's own work is most of the time that it takes. */
const FAKE_SHARE = 0.4;

/** Eight columns of the usual types, for DuckDB and for PostgreSQL, from a column `i`. */
const DUCKDB_COLUMNS = `i AS id, CAST(i % 1000 AS INTEGER) AS number, CAST(i % 1000000 AS DECIMAL(15,2)) AS amount,
  CAST(i AS DOUBLE) / 7 AS ratio, 'name ' || i % 5000 AS name, 'a comment of some forty characters, ' || i AS note,
  DATE '2020-01-01' + CAST(i % 2500 AS INTEGER) AS day,
  TIMESTAMP '2026-01-01 00:00:00.5' + INTERVAL (i % 1000000) SECOND AS seen`;
const POSTGRES_COLUMNS = `i AS id, (i % 1000)::integer AS number, (i % 1000000)::numeric(15,2) AS amount,
  i::double precision / 7 AS ratio, ('name ' || i % 5000)::varchar(40) AS name,
  ('a comment of some forty characters, ' || i)::varchar(80) AS note, date '2020-01-01' + (i % 2500)::integer AS day,
  timestamp '2026-01-01 00:00:00.5' + make_interval(secs => i % 1000000) AS seen`;
const MARIADB_COLUMNS = `seq AS id, CAST(seq % 1000 AS INT) AS number, CAST(seq % 1000000 AS DECIMAL(15,2)) AS amount,
  CAST(seq AS DOUBLE) / 7 AS ratio, CONCAT('name ', seq % 5000) AS name,
  CONCAT('a comment of some forty characters, ', seq) AS note, DATE '2020-01-01' + INTERVAL (seq % 2500) DAY AS day,
  TIMESTAMP '2026-01-01 00:00:00.5' + INTERVAL (seq % 1000000) SECOND AS seen`;

const TABLE = "measured";

/** Each is started when its turn comes, and stopped behind it. */
export const PLACES: ((rows: number) => Promise<Place>)[] = [
  openPostgres,
  openMariadb,
  openRedshift,
  openSqlServer,
  openBigQuery,
  openSnowflake,
];

async function openPostgres(rows: number): Promise<Place> {
  const { server, stop } = await startPostgres();
  const client = await connectPostgres(server);
  await client.query(`CREATE TABLE ${TABLE} AS SELECT ${POSTGRES_COLUMNS} FROM generate_series(1, ${rows}::bigint) i`);
  await client.end();
  const { host, port, username, password } = server;
  const credentials = { host, port: String(port), database: "postgres", username, password };
  return { ...place("PostgreSQL", { type: "postgres", credentials }, "public", rows), stop };
}

async function openMariadb(rows: number): Promise<Place> {
  const { server, stop } = await startMariadb();
  const connection = await connectMariadb(server);
  await connection.query("CREATE DATABASE bench");
  await connection.query(`CREATE TABLE bench.${TABLE} AS SELECT ${MARIADB_COLUMNS} FROM bench.seq_1_to_${rows}`);
  await connection.end();
  const { host, port, username, password } = server;
  const credentials = { host, port: String(port), database: "bench", username, password };
  return { ...place("MariaDB", { type: "mysql", credentials }, "bench", rows), stop };
}

async function openRedshift(all: number): Promise<Place> {
  const rows = Math.ceil(all * FAKE_SHARE);
  const { server, stop } = await startPostgres();
  const fake = await FakeRedshift.start(server);
  await fake.admin.query(
    `CREATE TABLE public.${TABLE} AS SELECT ${POSTGRES_COLUMNS} FROM pg_catalog.generate_series(1, ${rows}::bigint) i`,
  );
  const close = async () => {
    await fake.close();
    await stop();
  };
  return { ...place("Redshift (fake)", fake.source({ host: "127.0.0.1" }), "public", rows), stop: close };
}

async function openSqlServer(all: number): Promise<Place> {
  const rows = Math.ceil(all * FAKE_SHARE);
  const fake = await FakeSqlServer.start();
  const types = {
    id: "bigint",
    number: "int",
    amount: "decimal(15,2)",
    ratio: "float",
    name: "nvarchar(40)",
    note: "nvarchar(80)",
    day: "date",
    seen: "datetime2(6)",
  };
  const columns = Object.entries(types).map(([name, type]) => ({ name, type, nullable: true }));
  const view = `SELECT ${DUCKDB_COLUMNS} FROM range(1, ${rows + 1}) AS r(i)`;
  await fake.tables.create({ name: TABLE, columns, view });
  const when = new RegExp(String.raw`FROM (\[dbo\]\.\[${TABLE}\]|dbo\.${TABLE})`);
  fake.answers.push(await encodedAnswer(fake.instance, { when, columns, sql: view }));
  return { ...place("SQL Server (fake)", fake.source(), "dbo", rows), stop: () => fake.close() };
}

async function openBigQuery(all: number): Promise<Place> {
  const rows = Math.ceil(all * FAKE_SHARE);
  const fake = await FakeBigquery.start();
  await fake.database.execute("CREATE SCHEMA bench");
  await fake.database.execute(
    `CREATE TABLE bench.${TABLE} AS SELECT ${DUCKDB_COLUMNS} FROM range(1, ${rows + 1}) AS r(i)`,
  );
  return {
    ...place("BigQuery (fake)", fake.source(), "bench", rows),
    environment: { ENGINE_BIGQUERY_EMULATOR: fake.url },
    emulator: { url: fake.url, token: () => fake.tokens.given.at(-1) },
    stop: () => fake.close(),
  };
}

async function openSnowflake(all: number): Promise<Place> {
  const rows = Math.ceil(all * FAKE_SHARE);
  const fake = await FakeSnowflake.start();
  fake.statements.layout = { inlineRows: 1_000, chunkRows: 20_000 };
  await fake.database.executeDuckdb(
    `CREATE TABLE "DB"."PUBLIC"."${TABLE}" AS SELECT ${DUCKDB_COLUMNS} FROM range(1, ${rows + 1}) AS r(i)`,
  );
  return {
    ...place("Snowflake (fake)", { type: "snowflake", credentials: CREDENTIALS }, "PUBLIC", rows),
    sql: `SELECT * FROM "PUBLIC"."${TABLE}"`,
    environment: { ENGINE_SNOWFLAKE_EMULATOR: fake.url },
    emulator: { url: fake.url },
    stop: () => fake.close(),
  };
}

const place = (name: string, source: Source, schema: string, rows: number): Omit<Place, "stop"> => ({
  name,
  source,
  schema,
  table: TABLE,
  sql: `SELECT * FROM ${schema}.${TABLE}`,
  rows,
});
