// A statement's rows, taken by each vendor's own driver and looked at by nobody: what our connectors are held against.

import { BigQuery } from "@google-cloud/bigquery";
import { OAuth2Client } from "google-auth-library";
import mysql from "mysql2";
import pg from "pg";
import snowflake from "snowflake-sdk";
import { Connection, Request } from "tedious";
import type { Source } from "../../../kernel/wire/source.ts";

/** `emulator`: where a vendor's service is stood in for, and a token that it takes. */
export type DriverRead = { source: Source; sql: string; emulator?: { url: string; token?: string } };

/** How many rows there were. */
export function readByDriver(read: DriverRead): Promise<number> {
  const { source } = read;
  switch (source.type) {
    case "postgres":
    case "redshift":
      return readByPg(source.credentials, read.sql);
    case "mysql":
      return readByMysql2(source.credentials, read.sql);
    case "sqlserver":
      return readByTedious(source.credentials, read.sql);
    case "bigquery":
      return readByBigQuery(source.credentials.project_id, read);
    case "snowflake":
      return readBySnowflake(source.credentials, read);
  }
}

type DatabaseCredentials = Extract<Source, { type: "postgres" }>["credentials"];

async function readByPg(credentials: DatabaseCredentials, sql: string): Promise<number> {
  const { host, port, database, username, password } = credentials;
  const client = new pg.Client({ host, port: Number(port), user: username, password, database, ssl: false });
  await client.connect();
  let rows = 0;
  await new Promise<void>((resolve, reject) => {
    const query = client.query(new pg.Query({ text: sql, rowMode: "array" } as pg.QueryConfig));
    query.on("row", () => rows++);
    query.on("end", () => resolve());
    query.on("error", reject);
  });
  await client.end();
  return rows;
}

async function readByMysql2(credentials: DatabaseCredentials, sql: string): Promise<number> {
  const { host, port, database, username, password } = credentials;
  const connection = mysql.createConnection({ host, port: Number(port), user: username, password, database });
  let rows = 0;
  for await (const _ of connection.query({ sql, rowsAsArray: true }).stream()) rows++;
  connection.destroy();
  return rows;
}

async function readByTedious(credentials: DatabaseCredentials, sql: string): Promise<number> {
  const connection = new Connection({
    server: credentials.host,
    authentication: { type: "default", options: { userName: credentials.username, password: credentials.password } },
    options: { port: Number(credentials.port), database: credentials.database, encrypt: false, requestTimeout: 0 },
  });
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  let rows = 0;
  await new Promise<void>((resolve, reject) => {
    const request = new Request(sql, (error) => (error ? reject(error) : resolve()));
    request.on("row", () => rows++);
    connection.execSqlBatch(request);
  });
  connection.close();
  return rows;
}

async function readByBigQuery(projectId: string, { sql, emulator }: DriverRead): Promise<number> {
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: emulator!.token! });
  const client = new BigQuery({ projectId, apiEndpoint: emulator!.url, authClient });
  let rows = 0;
  // Short statements may be answered without a job, which the fake does not do.
  const [job] = await client.createQueryJob({ query: sql });
  for await (const _ of job.getQueryResultsStream()) rows++;
  return rows;
}

async function readBySnowflake(
  credentials: Extract<Source, { type: "snowflake" }>["credentials"],
  { sql, emulator }: DriverRead,
): Promise<number> {
  snowflake.configure({ logLevel: "OFF" });
  const { account, username, password, warehouse, database } = credentials;
  const connection = snowflake.createConnection({
    account,
    username,
    password,
    warehouse,
    database: database.toUpperCase(),
    accessUrl: emulator!.url,
  });
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())));
  const statement = await new Promise<snowflake.RowStatement>((resolve, reject) => {
    const complete = (error: Error | undefined, done: snowflake.RowStatement) =>
      error ? reject(error) : resolve(done);
    connection.execute({ sqlText: sql, streamResult: true, complete });
  });
  let rows = 0;
  for await (const _ of statement.streamRows()) rows++;
  return rows;
}
