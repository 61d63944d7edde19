// A database of PostgreSQL whose hidden rows, cells, columns and tables are marked, and callers bound by roles to it.

import { createHash, randomUUID } from "node:crypto";
import type pg from "pg";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../sources/sources.ts";
import { aStatement, startEngine, type Engine } from "../programs/engine.ts";
import { aGrant } from "./a-grant.ts";
import { HIDDEN_NUMBER, HIDDEN_TEXT } from "./canaries.ts";

/** A member with a filter, a mask, an exclusion, tables that are whole, and tables that are denied. */
export const MEMBER: AccessRoles = [
  [
    aGrant("orders", {
      excludes: ["canary_column"],
      masks: { email: "***", fee: 0 },
      filters: [{ member: "region", operator: "equals", values: ["no"] }],
    }),
    aGrant("customers"),
    aGrant("products", { excludes: ["canary_price"] }),
    aGrant("big_orders"),
    aGrant("traces"),
  ],
];

const endsIn = (value: string) => ({ member: "region", operator: "endsWith" as const, values: [value] });
/**
 * The member's filter costs the server more than what a statement asks: where nothing fences it off, the cheaper
 * condition comes first.
 */
export const MEMBER_BY_COSTLY_FILTER: AccessRoles = [
  [
    aGrant("orders", {
      excludes: ["canary_column"],
      masks: { email: "***", fee: 0 },
      filters: [{ or: [endsIn("no"), endsIn("nor"), endsIn("norway"), endsIn("norge")] }],
    }),
    aGrant("customers"),
    aGrant("big_orders"),
  ],
];

export type Answer = { status: number; body: string; rows: Record<string, unknown>[] };

export class BoundPostgres {
  readonly engine: Engine;
  /** The tests' own connection, as superuser, as the engine's is. */
  readonly admin: pg.Client;
  readonly #database: string;

  private constructor(engine: Engine, admin: pg.Client, database: string) {
    this.engine = engine;
    this.admin = admin;
    this.#database = database;
  }

  static async open(setup = SHOP): Promise<BoundPostgres> {
    const database = `bound_${randomUUID().replaceAll("-", "")}`;
    const server = await connectPostgres(ownPostgres());
    await server.query(`CREATE DATABASE ${database}`);
    await server.query(`ALTER DATABASE ${database} SET search_path = canary_hidden, shop, public`);
    await server.end();
    const admin = await connectPostgres(ownPostgres(), database);
    await admin.query(setup);
    return new BoundPostgres(await startEngine({ hostsAllowed: "loopback" }), admin, database);
  }

  async close(): Promise<void> {
    await Promise.all([this.engine.stop(), this.admin.end()]);
    const server = await connectPostgres(ownPostgres());
    await server.query(`DROP DATABASE ${this.#database} WITH (FORCE)`);
    await server.end();
  }

  get source(): ReturnType<typeof postgresSource> {
    return postgresSource(ownPostgres(), { database: this.#database });
  }

  /** Without roles the caller is bound by none. The engine is sent them each time, as after a restart. */
  async ask(sql: string, roles?: AccessRoles): Promise<Answer> {
    const { source } = this;
    const digest = createHash("sha256")
      .update(JSON.stringify(roles ?? null))
      .digest("hex");
    const access = roles ? { digest, roles } : ("everything" as const);
    const target = { kind: "source" as const, source, access };
    const response = await this.engine.call("POST", "/statements", aStatement({ sql, target }));
    const body = await response.text();
    const headers = JSON.stringify([...response.headers]);
    const { data = [] } = JSON.parse(body) as { data?: Record<string, unknown>[] };
    return { status: response.status, body: `${headers}\n${body.replace(/"requestId":"[^"]*"/, "")}`, rows: data };
  }
}

const SHOP = `
  CREATE SCHEMA shop; CREATE SCHEMA canary_hidden;
  CREATE TYPE shop.status AS ENUM ('open', 'paid', 'canary_label');
  CREATE TABLE shop.orders (id int PRIMARY KEY, region text, total numeric, fee int, email text, note text,
    placed timestamptz, status shop.status, kind regclass, canary_column text);
  INSERT INTO shop.orders SELECT n, 'no', n * 10, n, '${HIDDEN_TEXT}' || n, 'note ' || n, '2026-01-01', 'open',
    'shop.orders'::regclass, '${HIDDEN_TEXT}' FROM generate_series(1, 5) n;
  INSERT INTO shop.orders SELECT ${HIDDEN_NUMBER}00 + n, 'xx', 13, ${HIDDEN_NUMBER}, '${HIDDEN_TEXT}', '${HIDDEN_TEXT}',
    '1999-09-09', 'canary_label', 'shop.orders'::regclass, '${HIDDEN_TEXT}' FROM generate_series(1, 200) n;
  CREATE TABLE shop.customers (id int PRIMARY KEY, name text, payload jsonb);
  INSERT INTO shop.customers VALUES (1, 'Kari', '{"a": 1}'), (2, 'Ola', '{"a": 2}'), (3, 'Åse', NULL);
  CREATE TABLE shop.products (id int PRIMARY KEY, name text, canary_price int);
  INSERT INTO shop.products VALUES (1, 'rope', ${HIDDEN_NUMBER}), (2, 'sail', ${HIDDEN_NUMBER});
  CREATE TABLE shop.canary_table (id int, secret text);
  INSERT INTO shop.canary_table VALUES (1, '${HIDDEN_TEXT}');
  CREATE TABLE canary_hidden.customers (id int, name text, canary_more text);
  INSERT INTO canary_hidden.customers VALUES (9, '${HIDDEN_TEXT}', '${HIDDEN_TEXT}');
  CREATE TABLE canary_hidden.vault (id int, secret text);
  INSERT INTO canary_hidden.vault SELECT n, '${HIDDEN_TEXT}' || n FROM generate_series(1, 50) n;
  CREATE SEQUENCE shop.canary_seq START ${HIDDEN_NUMBER};
  SELECT nextval('shop.canary_seq');
  CREATE VIEW shop.big_orders AS SELECT o.id, o.total, o.note FROM shop.orders o WHERE
    CASE WHEN upper(lower(upper(lower(upper(lower(upper(lower(o.region)))))))) = 'NO' THEN o.total > 20 END;
  CREATE VIEW shop.canary_view AS SELECT * FROM canary_hidden.vault;
  CREATE MATERIALIZED VIEW shop.canary_stored AS SELECT * FROM canary_hidden.vault;
  CREATE FUNCTION shop.reads(int) RETURNS text LANGUAGE sql STABLE AS
    'SELECT secret FROM canary_hidden.vault WHERE id = $1';
  CREATE FUNCTION shop.reads(text) RETURNS text LANGUAGE sql STABLE AS
    'SELECT secret FROM canary_hidden.vault LIMIT 1';
  CREATE FUNCTION shop.compares(text, text) RETURNS text LANGUAGE sql STABLE AS
    'SELECT secret FROM canary_hidden.vault LIMIT 1';
  CREATE OPERATOR shop.## (LEFTARG = text, RIGHTARG = text, FUNCTION = shop.compares);
  CREATE FUNCTION shop.knows(text) RETURNS boolean LANGUAGE sql STABLE AS
    'SELECT EXISTS (SELECT FROM canary_hidden.vault WHERE secret LIKE $1 || ''%'')';
  CREATE DOMAIN shop.known AS text CHECK (value IS NULL OR shop.knows(value));
  CREATE TYPE shop.handle AS (code text);
  CREATE FUNCTION shop.unfold(shop.handle) RETURNS text LANGUAGE sql STABLE AS
    'SELECT secret FROM canary_hidden.vault LIMIT 1';
  CREATE CAST (shop.handle AS text) WITH FUNCTION shop.unfold(shop.handle) AS IMPLICIT;
  CREATE FUNCTION shop.spell(shop.customers) RETURNS text LANGUAGE sql STABLE AS
    'SELECT secret FROM canary_hidden.vault LIMIT 1';
  CREATE CAST (shop.customers AS text) WITH FUNCTION shop.spell(shop.customers);
  CREATE TABLE shop.traces (id int, relation regclass, known shop.known[], handle shop.handle);
  INSERT INTO shop.traces VALUES (1, 'shop.orders', '{}', ROW('x'));
`;
