// Equal tables in DuckDB, PostgreSQL and MariaDB, and semantic queries on them by the roads of the engine: through
// its gates, with bound values, for callers whom nothing binds and for those whom roles bind.

import { randomUUID } from "node:crypto";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import type { Connection } from "mysql2/promise";
import type pg from "pg";
import { inject } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import type { SemanticModel, SqlDialect } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery, SemanticSql } from "../../../../kernel/semantic/query.ts";
import type { Source } from "../../../../kernel/wire/source.ts";
import { setVariables } from "../../../../containers/engine/lake/sql/bound-values.ts";
import { Gate } from "../../../../containers/engine/lake/sql/gate.ts";
import { compileModel, type Compilers } from "../../../../containers/engine/semantic/compile/model/compile-model.ts";
import { compileQuery } from "../../../../containers/engine/semantic/compile/model/compile-query.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import type { SourceStatement } from "../../../../containers/engine/sources/connector.ts";
import { connectorOf } from "../../../../containers/engine/sources/connectors.ts";
import { aGrant } from "../access/a-grant.ts";
import { connectMariadb, connectPostgres, mariadbSource, ownPostgres, postgresSource } from "../sources/sources.ts";
import { aSemanticQuery } from "./shop.ts";

/** What a column holds, by the type that each database has for it. */
const TYPES = {
  number: { duckdb: "BIGINT", postgres: "bigint", mysql: "BIGINT" },
  decimal: { duckdb: "DECIMAL(12,2)", postgres: "numeric(12,2)", mysql: "DECIMAL(12,2)" },
  text: { duckdb: "VARCHAR", postgres: "text", mysql: "VARCHAR(100) COLLATE utf8mb4_bin" },
  boolean: { duckdb: "BOOLEAN", postgres: "boolean", mysql: "BOOLEAN" },
  date: { duckdb: "DATE", postgres: "date", mysql: "DATE" },
  timestamp: { duckdb: "TIMESTAMP", postgres: "timestamp", mysql: "DATETIME(6)" },
  instant: { duckdb: "TIMESTAMPTZ", postgres: "timestamptz", mysql: "TIMESTAMP(6) NULL" },
} as const;

export type Cell = string | number | boolean | null;
export type TestTable = { name: string; columns: Record<string, keyof typeof TYPES>; rows: Cell[][] };

/** One in this many statements on a database is asked again as somebody whom roles bind. */
const BOUND_EVERY = 5;

export class DialectDatabases {
  readonly #database = `dialects_${randomUUID().replaceAll("-", "").slice(0, 12)}`;
  readonly #duckdb: DuckDBConnection;
  readonly #gate: Gate;
  readonly #postgres: pg.Client;
  readonly #mariadb: Connection;
  #runs = 0;

  private constructor(duckdb: DuckDBConnection, gate: Gate, postgres: pg.Client, mariadb: Connection) {
    this.#duckdb = duckdb;
    this.#gate = gate;
    this.#postgres = postgres;
    this.#mariadb = mariadb;
  }

  static async open(tables: readonly TestTable[]): Promise<DialectDatabases> {
    const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
    await duckdb.run("SET TimeZone = 'UTC'");
    const [gate, postgres, mariadb] = await Promise.all([
      Gate.open(),
      connectPostgres(ownPostgres()),
      connectMariadb(inject("mariadb")),
    ]);
    const databases = new DialectDatabases(duckdb, gate, postgres, mariadb);
    await databases.#fill(tables);
    return databases;
  }

  async close(): Promise<void> {
    await this.#postgres.query(`DROP SCHEMA ${this.#database} CASCADE`);
    await this.#postgres.end();
    await this.#mariadb.query(`DROP DATABASE ${this.#database}`);
    await this.#mariadb.end();
    this.#duckdb.closeSync();
  }

  /** Where a table is, in a model. */
  table(name: string): string {
    return `${this.#database}.${name}`;
  }

  async #fill(tables: readonly TestTable[]): Promise<void> {
    await this.#duckdb.run(`CREATE SCHEMA ${this.#database}`);
    await this.#postgres.query(`CREATE SCHEMA ${this.#database}; SET timezone = 'UTC'`);
    await this.#mariadb.query(`CREATE DATABASE ${this.#database}; SET time_zone = '+00:00'`);
    for (const table of tables) {
      await this.#duckdb.run(ddlOf(table, "duckdb", this.table(table.name)));
      await this.#postgres.query(ddlOf(table, "postgres", this.table(table.name)));
      await this.#mariadb.query(ddlOf(table, "mysql", this.table(table.name)));
      if (table.rows.length === 0) continue;
      const values = table.rows.map((row) => `(${row.map(literal).join(", ")})`).join(", ");
      const insert = `INSERT INTO ${this.table(table.name)} VALUES ${values}`;
      await this.#duckdb.run(insert);
      await this.#postgres.query(insert);
      await this.#mariadb.query(insert.replaceAll("\\", "\\\\"));
    }
  }

  /** Rows as they came, in what JavaScript has for numbers and with times as `2026-01-31 00:00:00`. */
  async run(dialect: SqlDialect, { sql, values }: Pick<SemanticSql, "sql" | "values">): Promise<Cell[][]> {
    if (dialect === "duckdb") return this.#runDuckdb(sql, values);
    const free = await this.#runSource(dialect, { sql, values });
    if (this.#runs++ % BOUND_EVERY !== 0) return free;
    const roles: AccessRoles = [[aGrant("*", { schema: this.#database })]];
    const bound = await this.#runSource(dialect, { sql, values }, roles);
    if (JSON.stringify(sorted(free)) !== JSON.stringify(sorted(bound)))
      throw new Error("Roles change what is answered.");
    return free;
  }

  async #runDuckdb(sql: string, values: SemanticSql["values"]): Promise<Cell[][]> {
    const { body } = await this.#gate.analyse(sql, { values });
    await setVariables(this.#duckdb, values);
    const reader = await this.#duckdb.runAndReadAll(body);
    return reader.getRowsJson().map((row) => row.map((cell) => comparable(cell === null ? null : String(cell))));
  }

  async #runSource(
    dialect: "postgres" | "mysql",
    { sql, values }: Pick<SemanticSql, "sql" | "values">,
    roles?: AccessRoles,
  ): Promise<Cell[][]> {
    const source: Source =
      dialect === "postgres" ? postgresSource(ownPostgres()) : mariadbSource(inject("mariadb"), this.#database);
    const access = roles ? new CallerAccess(roles) : "everything";
    const statement = { source, sql, values, access, signal: AbortSignal.timeout(60_000) };
    return connectorOf<Source["type"]>(source).query(statement as SourceStatement<Source["type"]>, async ({ rows }) => {
      const all: Cell[][] = [];
      await rows(({ bytes, starts, ends }) => {
        const cell = (start: number, i: number) =>
          ends[i] === -1 ? null : Buffer.from(bytes.subarray(start, ends[i])).toString();
        return all.push(Array.from(starts, (start, i) => comparable(cell(start, i)))) > 0;
      });
      return all;
    });
  }
}

const ddlOf = ({ columns }: TestTable, dialect: SqlDialect, name: string): string =>
  `CREATE TABLE ${name} (${Object.entries(columns)
    .map(([column, type]) => `${column} ${TYPES[type][dialect]}`)
    .join(", ")})`;

const literal = (cell: Cell): string => (typeof cell === "string" ? `'${cell.replaceAll("'", "''")}'` : String(cell));

function comparable(text: string | null): Cell {
  if (text === null) return null;
  const [, day, time, fraction = ""] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?Z?$/.exec(text) ?? [];
  if (day !== undefined) return `${day} ${time}${fraction.replace(/\.?0+$/, "")}`;
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(text);
  return text === "true" || text === "t" ? true : text === "false" || text === "f" ? false : text;
}

export const sorted = (rows: readonly Cell[][]): Cell[][] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** A model that compiles, and its queries' SQL. */
export class TestModel {
  readonly #compilers: Compilers;

  constructor(model: SemanticModel) {
    const compiled = compileModel(model);
    if ("flaws" in compiled) throw new Error(JSON.stringify(compiled.flaws));
    this.#compilers = compiled.evaluated.compilers;
  }

  sql(dialect: SqlDialect, query: Partial<SemanticQuery>): SemanticSql {
    return compileQuery(this.#compilers, dialect, aSemanticQuery(query));
  }
}
