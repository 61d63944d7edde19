// An engine within the tests' own process, over a lake and databases that hold the same shop, and statements to it.

import { randomBytes, randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import type { Connection } from "mysql2/promise";
import type pg from "pg";
import { inject } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery, SemanticStatement } from "../../../../kernel/semantic/query.ts";
import { AsyncStatements } from "../../../../containers/engine/async-statements.ts";
import { Jobs } from "../../../../containers/engine/jobs/jobs.ts";
import { SemanticCompiler } from "../../../../containers/engine/semantic/compile/process/semantic-compiler.ts";
import { ROUTES } from "../../../../containers/engine/routes.ts";
import { createEngineServer } from "../../../../containers/engine/server.ts";
import { Requests } from "../../../../containers/engine/requests.ts";
import { Statements } from "../../../../containers/engine/statements.ts";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import type { LakeSettings } from "../../../../containers/engine/core/settings.ts";
import { TestLake } from "../lake/test-lake.ts";
import { aStatement } from "../programs/engine.ts";
import { connectMariadb, connectPostgres, mariadbSource, ownPostgres, postgresSource } from "../sources/sources.ts";
import { aSemanticQuery } from "./shop.ts";

export const PLACES = ["lake", "postgres", "mysql"] as const;
export type Place = (typeof PLACES)[number];

/** A table with its rows as SQL that each of the databases reads. */
export type TableOfAll = {
  name: string;
  columns: LakeColumn[];
  /** By database, where a column's type is not called as in the lake. */
  types: Record<string, { postgres: string; mysql: string }>;
  /** The lake's are of files of so many rows. */
  rows: string[];
  fileRows?: number;
};

export type SemanticRequest = {
  queries?: SemanticStatement["queries"];
  query?: Partial<SemanticQuery>;
  model?: SemanticModel;
  statement?: Partial<SemanticStatement>;
  roles?: AccessRoles;
  request?: Partial<StatementRequest>;
  signal?: AbortSignal;
};

/** What a suite's tables are in: suites share a server, on which a schema is MySQL's database. */
export const SCHEMA = `shop_${randomBytes(4).toString("hex")}`;
/** What the lake calls whom roles bind. */
const MEMBER = "member";

export class SemanticEngine {
  readonly lake: TestLake;
  readonly postgres: pg.Client;
  readonly mariadb: Connection;
  readonly compiler: SemanticCompiler;
  readonly statements: Statements;
  readonly #server: Server;
  readonly #secret: string;
  readonly #database: string;

  private constructor(parts: { lake: TestLake; postgres: pg.Client; mariadb: Connection; database: string }) {
    this.lake = parts.lake;
    this.postgres = parts.postgres;
    this.mariadb = parts.mariadb;
    this.#database = parts.database;
    this.compiler = new SemanticCompiler();
    this.statements = new Statements(64, () => 1);
    this.#secret = randomBytes(12).toString("hex");
    const { lake } = parts.lake;
    const means = { lake, compiler: this.compiler };
    this.#server = createEngineServer(this.#secret, {
      routes: ROUTES,
      parts: {
        ...means,
        statements: this.statements,
        requests: new Requests(),
        asyncStatements: new AsyncStatements(lake.env, means, this.statements),
        jobs: new Jobs(lake.env, {} as ConstructorParameters<typeof Jobs>[1]),
      },
    });
  }

  static async open(tables: readonly TableOfAll[], settings: Partial<LakeSettings> = {}): Promise<SemanticEngine> {
    const database = `semantic_${randomUUID().replaceAll("-", "")}`;
    const server = await connectPostgres(ownPostgres());
    await server.query(`CREATE DATABASE ${database}`);
    await server.end();
    const postgres = await connectPostgres(ownPostgres(), database);
    await postgres.query(`CREATE SCHEMA ${SCHEMA}; SET TimeZone = 'UTC'`);
    const mariadb = await connectMariadb(inject("mariadb"));
    await mariadb.query(`DROP DATABASE IF EXISTS ${SCHEMA}; CREATE DATABASE ${SCHEMA}; USE ${SCHEMA}`);
    const lake = await TestLake.open(settings);
    const engine = new SemanticEngine({ lake, postgres, mariadb, database });
    for (const table of tables) await engine.#add(table);
    engine.#server.listen(0, "127.0.0.1");
    await new Promise((resolve) => engine.#server.once("listening", resolve));
    return engine;
  }

  async close(): Promise<void> {
    this.compiler.stop();
    this.#server.close();
    await this.mariadb.query(`DROP DATABASE ${SCHEMA}`);
    await Promise.all([this.postgres.end(), this.mariadb.end(), this.lake.close()]);
    const server = await connectPostgres(ownPostgres());
    await server.query(`DROP DATABASE ${this.#database} WITH (FORCE)`);
    await server.end();
  }

  target(place: Place, roles?: AccessRoles): StatementRequest["target"] {
    if (place === "lake") {
      if (roles) this.lake.platform.roles.set(MEMBER, roles);
      const snapshotId = this.lake.platform.tables.length;
      return { kind: "lake", lake: { teamId: "team", lakeId: "lake", snapshotId, token: roles ? MEMBER : "token" } };
    }
    const source =
      place === "postgres"
        ? postgresSource(ownPostgres(), { database: this.#database })
        : mariadbSource(inject("mariadb"), SCHEMA);
    return { kind: "source", source, access: roles ? { digest: JSON.stringify(roles), roles } : "everything" };
  }

  ask(place: Place, { queries, query, model, statement, roles, request, signal }: SemanticRequest): Promise<Response> {
    const semantic: SemanticStatement = {
      model: model!,
      queries: queries ?? [{ query: aSemanticQuery(query ?? {}), head: {} }],
      head: {},
      total: false,
      responseFormat: "default",
      ...statement,
    };
    return this.send(aStatement({ target: this.target(place, roles), semantic, ...request }), signal);
  }

  send(statement: StatementRequest, signal?: AbortSignal): Promise<Response> {
    const { port } = this.#server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}/statements`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.#secret}`, "content-type": "application/json" },
      body: JSON.stringify(statement),
      ...(signal ? { signal } : {}),
    });
  }

  async #add({ name, columns, types, rows, fileRows = 1_000 }: TableOfAll): Promise<void> {
    for (const place of ["postgres", "mysql"] as const) {
      const quote = place === "mysql" ? "`" : '"';
      const list = columns.map((column) => `${quote}${column.name}${quote} ${types[column.name]![place]}`).join(", ");
      // Alone in MariaDB a backslash within a text stands for more than itself.
      const run = (sql: string) =>
        place === "mysql" ? this.mariadb.query(sql.replaceAll("\\", "\\\\")) : this.postgres.query(sql);
      await run(`CREATE TABLE ${SCHEMA}.${name} (${list})`);
      for (let i = 0; i < rows.length; i += 1_000)
        await run(`INSERT INTO ${SCHEMA}.${name} VALUES ${rows.slice(i, i + 1_000).join(", ")}`);
    }
    const cells = columns.map(
      (column) => `CAST("${column.name}" AS ${types[column.name]!.postgres}) AS "${column.name}"`,
    );
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    const files = [];
    for (let i = 0; i < rows.length; i += fileRows) {
      const values = rows.slice(i, i + fileRows).join(", ");
      const path = await this.lake.write(
        `${name}-${i}.parquet`,
        `SELECT ${cells.join(", ")} FROM (VALUES ${values}) AS v(${names})`,
        columns.map(({ id, name: column }) => `${column}: ${id}`).join(", "),
      );
      files.push({ path });
    }
    this.lake.platform.addTable(SCHEMA, name, columns, files);
  }
}
