// Random roles and random statements on a real PostgreSQL: a bound caller is answered as one who is bound by nothing is
// by tables from which the hidden was deleted. What is hidden is found here by other means than the product's.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessGrant, AccessRoles, MaskValue, RowFilter } from "../../../../kernel/access/access.ts";
import { quoteIdentifier, quoteLiteral } from "../../../../containers/engine/sources/postgres/sql-text.ts";
import { BoundPostgres } from "../../../support/node/access/bound-postgres.ts";
import { randomOf, type Random } from "../../../support/node/sources/mutations.ts";

type Cell = string | number | boolean | null;
type Table = { name: string; columns: Record<string, "int4" | "text" | "numeric" | "date" | "bool">; rows: Cell[][] };

const ROUNDS = 40;
const STATEMENTS = 12;

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const REGIONS = ["no", "se", "NO", "", null];

function tablesOf(random: Random): Table[] {
  const days = ["2026-01-01", "2026-01-02", null];
  const rows = (count: number, row: (i: number) => Cell[]) => Array.from({ length: count }, (_, i) => row(i));
  return [
    {
      name: "a",
      columns: { id: "int4", region: "text", score: "int4", amount: "numeric", day: "date" },
      rows: rows(40, (i) => [i, pick(random, REGIONS), pick(random, [0, 1, 2, null]), i / 4, pick(random, days)]),
    },
    {
      name: "b",
      columns: { id: "int4", a_id: "int4", region: "text", flag: "bool" },
      rows: rows(30, (i) => [i, Math.floor(random() * 40), pick(random, REGIONS), pick(random, [true, false, null])]),
    },
  ];
}

function filterOf(random: Random, table: Table, depth = 0): RowFilter {
  if (depth < 2 && random() < 0.3) {
    const inner = Array.from({ length: Math.floor(random() * 3) }, () => filterOf(random, table, depth + 1));
    return random() < 0.5 ? { and: inner } : { or: inner };
  }
  const member = pick(random, [...Object.keys(table.columns), "region", "score"]);
  const type = table.columns[member];
  if (type === "text")
    return {
      member,
      operator: pick(random, ["equals", "notEquals", "in", "contains", "startsWith", "set"]),
      values: pick(random, [["no"], ["no", "se"], ["se", null], [""]]),
    };
  if (type === "int4" || type === "numeric")
    return {
      member,
      operator: pick(random, ["equals", "gt", "lte", "notIn", "notSet"]),
      values: [pick(random, ["1", "5", "1.5", "x"])],
    };
  if (type === "date")
    return { member, operator: pick(random, ["equals", "onTheDate", "afterDate"]), values: ["2026-01-01"] };
  return { member, operator: pick(random, ["equals", "notEquals", "set"]), values: ["true"] };
}

function grantOf(random: Random, table: Table): AccessGrant {
  const names = Object.keys(table.columns);
  const masks = Object.fromEntries(
    names.filter(() => random() < 0.15).map((name) => [name, maskOf(random, table.columns[name]!)]),
  );
  return {
    schema: random() < 0.7 ? "full" : "*",
    table: random() < 0.8 ? table.name : "*",
    excludes: names.filter(() => random() < 0.15),
    masks,
    filters: random() < 0.05 ? null : Array.from({ length: Math.floor(random() * 3) }, () => filterOf(random, table)),
  };
}

const maskOf = (random: Random, type: string): MaskValue =>
  random() < 0.3 ? null : type === "text" ? "***" : type === "bool" ? false : type === "date" ? null : 0;

/** One grant of a target at most, as the platform keeps them. */
const rolesOf = (random: Random, tables: Table[]): AccessRoles =>
  Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const grants = tables.filter(() => random() < 0.85).map((table) => grantOf(random, table));
    return grants.filter(
      (grant, i) => grants.findIndex(({ schema, table }) => schema === grant.schema && table === grant.table) === i,
    );
  });

// What is hidden, by the rules in words: the closest grant of each role counts, and roles add up cell by cell.

const closest = (role: AccessGrant[], table: Table): AccessGrant | undefined =>
  role.find((g) => g.schema === "full" && g.table === table.name) ??
  role.find((g) => g.schema === "*" && g.table === table.name) ??
  role.find((g) => g.schema === "full" && g.table === "*") ??
  role.find((g) => g.schema === "*" && g.table === "*");

/** A filter on a column that the table has not can't be believed in any part. */
const isAbout = (filter: RowFilter, table: Table): boolean =>
  "member" in filter
    ? filter.member in table.columns
    : ("and" in filter ? filter.and : filter.or).every((inner) => isAbout(inner, table));

function holds(filter: RowFilter, table: Table, row: Cell[]): boolean {
  if ("and" in filter) return filter.and.every((inner) => holds(inner, table, row));
  if ("or" in filter) return filter.or.some((inner) => holds(inner, table, row));
  const { member, operator, values } = filter;
  const names = Object.keys(table.columns);
  const cell = row[names.indexOf(member)]!;
  if (operator === "set") return cell !== null;
  if (operator === "notSet") return cell === null;
  const type = table.columns[member]!;
  const isNumber = type === "int4" || type === "numeric";
  const known = values.filter((value) => value !== null);
  const fits = (value: string) =>
    !isNumber ||
    (!Number.isNaN(Number(value)) &&
      (type === "numeric" || /^\d+$/.test(value) || operator === "gt" || operator === "lte"));
  const same = (value: string) => (isNumber ? Number(value) === cell : value === String(cell));
  switch (operator) {
    case "equals":
    case "in":
    case "onTheDate":
      return cell === null ? values.includes(null) : known.some((value) => fits(value) && same(value));
    case "notEquals":
    case "notIn":
      if (!known.every(fits)) return false;
      return cell === null ? !values.includes(null) : !known.some(same);
    case "contains":
    case "startsWith": {
      if (cell === null) return values.includes(null);
      const text = String(cell).toLowerCase();
      return known.some(
        (value) => value !== "" && (operator === "contains" ? text.includes(value) : text.startsWith(value)),
      );
    }
    case "gt":
      return cell !== null && fits(known[0]!) && Number(cell) > Number(known[0]);
    case "lte":
      return cell !== null && fits(known[0]!) && Number(cell) <= Number(known[0]);
    case "afterDate":
      return cell !== null && String(cell) > known[0]!;
    default:
      throw new Error(operator);
  }
}

/** Undefined where the table is denied. */
function shownOf(roles: AccessRoles, table: Table): { columns: string[]; rows: Cell[][] } | undefined {
  const grants = roles.flatMap((role) => closest(role, table) ?? []);
  if (grants.length === 0) return undefined;
  const names = Object.keys(table.columns);
  const columns = names.filter((name) => grants.some(({ excludes }) => !excludes.includes(name)));
  if (columns.length === 0) return undefined;
  const rows = table.rows.flatMap((row) => {
    const holding = grants.filter(
      ({ filters }) =>
        filters?.every((filter) => isAbout(filter, table)) && filters.every((filter) => holds(filter, table, row)),
    );
    if (holding.length === 0) return [];
    const cells = columns.map((name) => {
      const having = holding.filter(({ excludes }) => !excludes.includes(name));
      if (having.some(({ masks }) => !(name in masks))) return row[names.indexOf(name)]!;
      // The mask that counts is the one of the earliest grant that has that mask at all.
      const order = grants
        .filter(({ excludes, masks }) => !excludes.includes(name) && name in masks)
        .map(({ masks }) => masks[name]!);
      return order.find((mask) => having.some(({ masks }) => masks[name] === mask)) ?? null;
    });
    return [cells];
  });
  return { columns, rows };
}

const sqlOf = (cell: Cell): string => (cell === null ? "NULL" : quoteLiteral(String(cell)));

function createSql(schema: string, { name, columns }: Table, shown: { columns: string[]; rows: Cell[][] }): string {
  const defined = shown.columns.map((column) => `${quoteIdentifier(column)} ${columns[column]!}`);
  const rows = shown.rows.map(
    (row) =>
      `INSERT INTO ${schema}.${name} ${row.length === 0 ? "DEFAULT VALUES" : `VALUES (${row.map(sqlOf).join(", ")})`};`,
  );
  return `CREATE TABLE ${schema}.${name} (${defined.join(", ")}); ${rows.join(" ")}`;
}

const CONDITIONS = [
  "1 = 1",
  "a.id < 20",
  "a.region = 'no'",
  "a.region IS NULL",
  "a.score > 0",
  "a.amount > 3",
  "a.day IS NOT NULL",
  "10 / nullif(a.id - 7, 0) > 0",
];
const STATEMENT_FORMS = [
  "SELECT * FROM s.a WHERE ?",
  "SELECT count(*) AS n, count(a.*) AS m FROM s.a WHERE ?",
  "SELECT a.region, count(*) AS n, sum(a.score) AS s FROM s.a WHERE ? GROUP BY a.region",
  "SELECT a.id, b.id AS other FROM s.a JOIN s.b ON b.a_id = a.id WHERE ?",
  "SELECT * FROM s.a LEFT JOIN s.b USING (region) WHERE ?",
  "SELECT row_to_json(a)::text AS j FROM s.a AS a WHERE ?",
  "WITH b AS (SELECT * FROM s.a WHERE ?) SELECT count(*) AS n FROM b, s.b AS c WHERE c.id < 5",
  "SELECT a.id FROM s.a WHERE EXISTS (SELECT FROM s.b WHERE b.a_id = a.id AND b.flag) AND ?",
  "SELECT id FROM s.b UNION SELECT a.id FROM s.a WHERE ?",
  "TABLE s.b",
  "SELECT s.a.id, rank() OVER (PARTITION BY s.a.region ORDER BY s.a.id) AS r FROM s.a WHERE ?",
  "SELECT max(x.amount) AS m, min(x.day) AS d FROM ONLY s.a x, LATERAL (SELECT x.id AS id) a WHERE a.id > 3",
];

let bound: BoundPostgres;
beforeAll(async () => (bound = await BoundPostgres.open("")));
afterAll(() => bound.close());

describe("a bound caller's answer", () => {
  it.each(Array.from({ length: ROUNDS }, (_, seed) => seed + 1))(
    "is that of tables without the hidden, seed %i",
    async (seed) => {
      const random = randomOf(seed);
      const tables = tablesOf(random);
      const roles = rolesOf(random, tables);
      const whole = tables.map((table) =>
        createSql("full", table, { columns: Object.keys(table.columns), rows: table.rows }),
      );
      const shown = tables.flatMap((table) => {
        const left = shownOf(roles, table);
        return left ? [createSql("cut", table, left)] : [];
      });
      await bound.admin.query(
        `DROP SCHEMA IF EXISTS "full", cut CASCADE; CREATE SCHEMA "full"; CREATE SCHEMA cut; ${[...whole, ...shown].join("\n").replaceAll("full.", '"full".')}`,
      );
      for (let i = 0; i < STATEMENTS; i++) {
        const sql = pick(random, STATEMENT_FORMS).replace("?", pick(random, CONDITIONS));
        const [answer, expected] = await Promise.all([
          bound.ask(sql.replaceAll("s.", '"full".'), roles),
          bound.ask(sql.replaceAll("s.", "cut.")),
        ]);
        const what = `${sql}\n${JSON.stringify(roles)}\n${answer.body}\n${expected.body}`;
        expect(answer.status, what).toBe(expected.status);
        const inOrder = (rows: Record<string, unknown>[]) => rows.map((row) => JSON.stringify(row)).toSorted();
        expect(inOrder(answer.rows), what).toEqual(inOrder(expected.rows));
      }
    },
  );
});
