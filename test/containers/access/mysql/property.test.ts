// Random roles and random statements on a real MariaDB: a bound caller is answered as one whom nothing binds is by
// tables from which the hidden was deleted.

import type { Connection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { quoteLiteral } from "../../../../containers/engine/sources/mysql/sql-text.ts";
import { runAsCaller, type Outcome } from "../../../support/node/access/mysql-caller.ts";
import {
  randomRoles,
  randomStatement,
  randomTables,
  shownTable,
  type Cell,
  type Table,
} from "../../../support/node/access/mysql-model.ts";
import { randomOf } from "../../../support/node/sources/mutations.ts";
import { connectMariadb } from "../../../support/node/sources/sources.ts";

const ROUNDS = 60;
const STATEMENTS = 12;

const server = inject("mariadb");
const full = `full_${process.pid}`;
const shown = `shown_${process.pid}`;

let root: Connection;

beforeAll(async () => {
  root = await connectMariadb(server);
});

afterAll(async () => {
  await root?.query(`DROP DATABASE IF EXISTS ${full}; DROP DATABASE IF EXISTS ${shown}`);
  await root?.end();
});

const literal = (cell: Cell): string => (typeof cell === "string" ? quoteLiteral(cell) : String(cell));

async function fill(database: string, tables: readonly (Table | undefined)[]): Promise<void> {
  await root.query(`CREATE OR REPLACE DATABASE ${database} COLLATE utf8mb4_general_ci; USE ${database}`);
  for (const table of tables) {
    if (!table) continue;
    const columns = Object.entries(table.columns).map(([name, type]) => `\`${name}\` ${type}`);
    await root.query(`CREATE TABLE ${table.name} (${columns.join(", ")})`);
    const rows = table.rows.map((row) => `(${row.map(literal).join(", ")})`);
    if (rows.length > 0) await root.query(`INSERT INTO ${table.name} VALUES ${rows.join(", ")}`);
  }
}

/** Rows in no order; numbers by their value, for a mask has no digits behind the point. */
function comparable(outcome: Outcome): unknown {
  if ("failure" in outcome) return "failure";
  const cell = (text: string | null) => (text !== null && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  const rows = outcome.rows.map((row) => JSON.stringify(row.map(cell))).sort();
  return { columns: outcome.columns.map((column) => column.split(" ")[0]), rows };
}

describe("random roles and statements on MySQL", () => {
  it("agree with the same statements on tables without the hidden", async () => {
    let answered = 0;
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const random = randomOf(seed);
      const tables = randomTables(random);
      const roles = randomRoles(random, full, tables);
      await fill(full, tables);
      await fill(
        shown,
        tables.map((table) => shownTable(table, full, roles)),
      );
      for (let i = 0; i < STATEMENTS; i++) {
        const sql = randomStatement(random);
        const bound = await runAsCaller(server, full, sql.replaceAll("DB", full), roles);
        const open = await runAsCaller(server, shown, sql.replaceAll("DB", shown));
        expect(comparable(bound), `seed ${seed}: ${sql}\n${JSON.stringify(roles)}\n${JSON.stringify(bound)}`).toEqual(
          comparable(open),
        );
        if ("rows" in open && open.rows.length > 0) answered++;
      }
    }
    expect(answered).toBeGreaterThan((ROUNDS * STATEMENTS) / 8);
  });
});
