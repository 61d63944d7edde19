// The table that syncs are measured on: twelve mixed columns, of orders' lines, the same at both servers.

import mysql2, { type Connection } from "mysql2/promise";
import pg from "pg";
import type { Server } from "../../../test/support/node/servers/server.ts";

const CHUNK_ROWS = 250_000;

export const DATABASE = "bench";
export const TABLE = "lines";

export const connectPostgres = async (server: Server): Promise<pg.Client> => {
  const client = new pg.Client({
    host: server.host,
    port: server.port,
    user: server.username,
    password: server.password,
    database: "postgres",
    ssl: false,
  });
  await client.connect();
  return client;
};

export const connectMariadb = ({ host, port, username, password }: Server): Promise<Connection> =>
  mysql2.createConnection({ host, port, user: username, password });

export async function fillPostgres(server: Server, rows: number): Promise<void> {
  const client = await connectPostgres(server);
  try {
    await client.query(`CREATE UNLOGGED TABLE ${TABLE} (order_id bigint, line smallint, product_id int NOT NULL,
      quantity numeric(15,2), price numeric(15,2), discount numeric(15,2),
      tax double precision, flag text, status text, shipped_on date, updated_at timestamptz, comment text)`);
    for (let from = 0; from < rows; from += CHUNK_ROWS) {
      await client.query(`INSERT INTO ${TABLE} SELECT 1 + i / 4, i % 4, (i * 7919) % 200000, 1 + (i * 7) % 50,
        ((i * 7919) % 10000000) / 100.0, (i % 11) / 100.0, (i % 9) / 100.0,
        substr('NRA', (i % 3)::int + 1, 1), substr('OF', (i % 2)::int + 1, 1),
          date '1992-01-01' + ((i * 31) % 2500)::int,
          timestamptz '2020-01-01Z' + make_interval(secs => (i * 13.37) % 1e8),
        substr(md5(i::text), 1, 5 + (i % 27)::int) || ' carefully final '
          FROM generate_series(${from}::bigint, ${Math.min(rows, from + CHUNK_ROWS) - 1}) i`);
    }
    await client.query(`ALTER TABLE ${TABLE} ADD PRIMARY KEY (order_id, line)`);
    await client.query(`VACUUM ANALYZE ${TABLE}`);
  } finally {
    await client.end();
  }
}

export async function fillMariadb(server: Server, rows: number): Promise<void> {
  const connection = await connectMariadb(server);
  try {
    await connection.query("SET GLOBAL innodb_buffer_pool_size = 536870912");
    await connection.query(`CREATE DATABASE ${DATABASE}`);
    await connection.query(`USE ${DATABASE}`);
    await connection.query(`CREATE TABLE \`${TABLE}\` (order_id bigint, line smallint, product_id int NOT NULL,
      quantity decimal(15,2), price decimal(15,2), discount decimal(15,2),
      tax double, flag varchar(1), status varchar(1), shipped_on date, updated_at datetime(6), comment text,
      PRIMARY KEY (order_id, line))`);
    for (let from = 0; from < rows; from += CHUNK_ROWS) {
      await connection.query(`INSERT INTO \`${TABLE}\` SELECT 1 + i DIV 4, i % 4, (i * 7919) % 200000, 1 + (i * 7) % 50,
        ((i * 7919) % 10000000) / 100.0, (i % 11) / 100.0, (i % 9) / 100.0,
        SUBSTR('NRA', i % 3 + 1, 1), SUBSTR('OF', i % 2 + 1, 1), DATE '1992-01-01' + INTERVAL (i * 31) % 2500 DAY,
          TIMESTAMP '2020-01-01 00:00:00' + INTERVAL (i * 13.37) % 1e8 SECOND,
        CONCAT(SUBSTR(MD5(i), 1, 5 + i % 27), ' carefully final ')
          FROM (SELECT ${from} + seq AS i FROM seq_0_to_${Math.min(rows - from, CHUNK_ROWS) - 1}) AS s`);
    }
    await connection.query(`ANALYZE TABLE \`${TABLE}\``);
  } finally {
    await connection.end();
  }
}
