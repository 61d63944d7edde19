// The clients of the ring `engines` read this: a lake with histories, one seen by a restricted member, and a catalog
// whose credentials end soon.

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { call, rowsOf } from "../../../e2e/client.ts";
import {
  FLAT_COLUMNS,
  NESTED_COLUMNS,
  repeatedRows,
  TIME_COLUMN,
  UNSIGNED_COLUMNS,
  type TestColumn,
} from "./columns.ts";
import type { Catalogs, TableName } from "./engine-client.ts";
import { askedOnce, exactly, makeHistory, type History, type TableTruth } from "./history.ts";
import { findLake, type TestLake } from "./lake.ts";
import { startShortCredentials, type ShortCredentials } from "./short-credentials.ts";

export const CREDENTIAL_SECONDS = 30;

/** The one has all types; the other none at which Spark's reader of rows fails, so Spark is shown what has parts. */
export const TABLES: Record<string, readonly TestColumn[]> = {
  everything: [...FLAT_COLUMNS, ...UNSIGNED_COLUMNS, TIME_COLUMN, ...NESTED_COLUMNS],
  by_row: [...FLAT_COLUMNS, ...NESTED_COLUMNS],
};

/** How much of a table a member's role grants. */
const GRANTS: Record<string, object | undefined> = {
  granted: {},
  filtered: { filters: [{ member: "id", operator: "gte", values: ["2"] }] },
  masked: { masks: { secret: null } },
  partial: { exclude_columns: ["secret"] },
  denied: undefined,
};
export const DENIED = Object.keys(GRANTS).filter((table) => table !== "granted");

export type World = {
  lake: TestLake;
  schema: string;
  histories: Record<string, History>;
  /** A table of every type without children, whose values repeat. */
  repeated: TableTruth;
  /** A table with three files of ten rows each, the newest of which came last. */
  small: TableName;
  /** The member's team has a lake of its own. */
  member: { key: string; adminKey: string; lake: string };
  short: ShortCredentials;
  /** By the names `lake`, `short` and `member`. */
  catalogs: Catalogs;
  close(): void;
};

export async function makeWorld(): Promise<World> {
  const lake = await findLake();
  const schema = `engines_${randomUUID().slice(0, 8)}`;
  const [tables, member] = await Promise.all([makeTables(lake.id, schema), makeMember()]);
  const { baseUrl, key, state } = inject("platform");
  const secrets = JSON.parse(await readFile(join(state, "secrets.json"), "utf8")) as Record<string, string>;
  const parent = { id: secrets.S3_ACCESS_KEY_ID!, secret: secrets.S3_SECRET_ACCESS_KEY! };
  const short = await startShortCredentials(baseUrl, parent, CREDENTIAL_SECONDS);
  return {
    ...{ lake, schema, ...tables, member, short },
    catalogs: {
      lake: { baseUrl, warehouse: lake.id, key },
      short: { baseUrl: short.url, warehouse: lake.id, key },
      member: { baseUrl, warehouse: member.lake, key: member.key },
    },
    close: () => short.close(),
  };
}

async function makeTables(lake: string, schema: string): Promise<Pick<World, "histories" | "repeated" | "small">> {
  await rowsOf(`CREATE SCHEMA LAKE.${schema}`);
  const histories: Record<string, History> = {};
  for (const [name, columns] of Object.entries(TABLES))
    histories[name] = await makeHistory(lake, schema, name, columns);
  const repeated = `LAKE.${schema}.repeated`;
  await rowsOf(`CREATE TABLE ${repeated} AS ${repeatedRows([...FLAT_COLUMNS, ...UNSIGNED_COLUMNS, TIME_COLUMN])}`);
  await rowsOf(`CREATE TABLE LAKE.${schema}.small (id INTEGER, note VARCHAR)`);
  for (const from of [0, 10, 20])
    await rowsOf(
      `INSERT INTO LAKE.${schema}.small SELECT n, 'row ' || n FROM range(${from}, ${from + 10}) AS rows (n)`,
    );
  return {
    histories,
    repeated: { table: [schema, "repeated"], truth: askedOnce(() => exactly(`SELECT * FROM ${repeated}`)) },
    small: [schema, "small"],
  };
}

/** A team with a lake, and a member whom a role shows one table whole, and others in part or not at all. */
async function makeMember(): Promise<World["member"]> {
  const mark = randomUUID().slice(0, 8);
  const ask = async <Body>(method: string, path: string, body?: object, key?: string): Promise<Body> => {
    const answer = await call<Body>(method, path, { ...(key && { key }), ...(body && { body }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const admin = { name: "Ada", email: `ada@${mark}.example` };
  type Team = { data: { api_key: { key: string } } };
  const team = await ask<Team>("POST", "/v4/admin/teams", { name: `Engines ${mark}`, plan: "standard", admin });
  const adminKey = team.data.api_key.key;
  const asAdmin = <Body>(method: string, path: string, body?: object) => ask<Body>(method, path, body, adminKey);
  const made = await asAdmin<{ integration: { id: string } }>("POST", "/v1/api/integrations", { type: "lake" });
  const lake = made.integration.id;
  const run = (sql: string) => asAdmin("POST", "/v1/query", { sql, integration_id: lake });
  await run("CREATE SCHEMA shop");
  for (const table of Object.keys(GRANTS))
    await run(`CREATE TABLE shop.${table} AS SELECT n AS id, 'secret ' || n AS secret FROM range(4) AS rows (n)`);
  const user = await asAdmin<{ data: { id: string } }>("POST", "/v4/users", {
    ...{ name: "Bob", email: `bob@${mark}.example`, role: "member" },
  });
  const grants = Object.entries(GRANTS).flatMap(([table, more]) =>
    more ? [{ integration_id: lake, schema: "shop", table, ...more }] : [],
  );
  const role = await asAdmin<{ data: { id: string } }>("POST", "/v4/data-access/roles", { name: "Some", grants });
  await asAdmin("PUT", `/v4/data-access/roles/${role.data.id}/members/${user.data.id}`);
  const key = await asAdmin<{ data: { key: string } }>("POST", `/v4/users/${user.data.id}/keys`, { name: "engine" });
  return { key: key.data.key, adminKey, lake };
}
