// A started engine with a lake, a PostgreSQL and a MariaDB that hold the same tables: semantic statements go the road
// that users' go, with gate, bound values and presentation.

import type { Connection } from "mysql2/promise";
import type pg from "pg";
import { inject } from "vitest";
import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { CatalogPlatform } from "../lake/catalog-platform.ts";
import { aStatement, startEngine, type Engine } from "../programs/engine.ts";
import { connectMariadb, connectPostgres, mariadbSource, ownPostgres, postgresSource } from "../sources/sources.ts";
import { aSemanticQuery } from "./shop.ts";
import { statementsOf, type Cell, type Dialect, type ProofTable } from "./proof-tables.ts";

export type ProofRow = Record<string, Cell>;
export type ProofAnswer = { rows: ProofRow[]; total?: number };

/** What a query says when it says nothing. */
export const QUERY = aSemanticQuery({});

/** The engine did not answer with rows. */
export class Refused extends Error {}

export class ProofServers {
  readonly schema: string;
  readonly #engine: Engine;
  readonly #platform: CatalogPlatform;
  readonly #postgres: pg.Client;
  readonly #mariadb: Connection;

  private constructor(engine: Engine, platform: CatalogPlatform, postgres: pg.Client, mariadb: Connection) {
    this.schema = `semantic_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;
    this.#engine = engine;
    this.#platform = platform;
    this.#postgres = postgres;
    this.#mariadb = mariadb;
  }

  /** `collation`: MySQL's, by which letters of either case may be the same and beside each other. */
  static async open(tables: readonly ProofTable[], collation = "utf8mb4_general_ci"): Promise<ProofServers> {
    const platform = await CatalogPlatform.start();
    const engine = await startEngine({ hostsAllowed: "loopback", platformUrl: platform.url });
    const [postgres, mariadb] = await Promise.all([connectPostgres(ownPostgres()), connectMariadb(inject("mariadb"))]);
    const servers = new ProofServers(engine, platform, postgres, mariadb);
    await servers.#fill(tables, collation);
    return servers;
  }

  async close(): Promise<void> {
    await this.#engine.stop();
    await this.#platform.stop();
    await this.#postgres.query(`DROP SCHEMA ${this.schema} CASCADE`);
    await this.#postgres.end();
    await this.#mariadb.query(`DROP DATABASE ${this.schema}`);
    await this.#mariadb.end();
  }

  /** The rows of a query as the engine answers it. Rejects with {@link Refused}. */
  async ask(
    dialect: Dialect,
    model: SemanticModel,
    query: Partial<SemanticQuery>,
    total = false,
  ): Promise<ProofAnswer> {
    const semantic = {
      model,
      queries: [{ query: aSemanticQuery(query), head: {} }],
      head: {},
      total,
      responseFormat: "default" as const,
    };
    const { data, total: counted } = await this.#send(dialect, { semantic });
    return { rows: data, ...(counted !== undefined && { total: counted }) };
  }

  async #fill(tables: readonly ProofTable[], collation: string): Promise<void> {
    await this.#postgres.query(`CREATE SCHEMA ${this.schema}`);
    await this.#mariadb.query(`CREATE DATABASE ${this.schema} COLLATE ${collation}`);
    await this.#send("duckdb", { sql: `CREATE SCHEMA ${this.schema}` });
    for (const table of tables) {
      await this.#postgres.query(statementsOf(table, this.schema, "postgres").join("; "));
      await this.#mariadb.query(statementsOf(table, this.schema, "mysql").join("; "));
      for (const sql of statementsOf(table, this.schema, "duckdb")) await this.#send("duckdb", { sql });
    }
  }

  async #send(
    dialect: Dialect,
    statement: Pick<StatementRequest, "sql"> | Pick<StatementRequest, "semantic">,
  ): Promise<{ data: ProofRow[]; total?: number }> {
    const id = crypto.randomUUID();
    const target: StatementRequest["target"] =
      dialect === "duckdb"
        ? { kind: "lake", lake: "sql" in statement ? this.#platform.writerGrant(id) : this.#platform.grant() }
        : {
            kind: "source",
            access: "everything",
            source:
              dialect === "postgres" ? postgresSource(ownPostgres()) : mariadbSource(inject("mariadb"), this.schema),
          };
    const answer = await this.#engine.call("POST", "/statements", aStatement({ ...statement, id, target }));
    const text = await answer.text();
    const document = JSON.parse(text) as { success?: boolean; data: ProofRow[]; total?: number };
    if (answer.status !== 200 || !document.success) throw new Refused(`${dialect}: ${answer.status} ${text}`);
    return document;
  }
}
