// Random tables, roles and statements for MySQL, and what a caller is to see of them, found by other means than the
// product's: row by row and cell by cell, from the rules in words.

import type { AccessGrant, AccessRoles, MaskValue, RowFilter } from "../../../../kernel/access/access.ts";
import type { Random } from "../sources/mutations.ts";

export type Cell = string | number | null;
type ColumnType = "INT" | "VARCHAR(20)" | "DECIMAL(10,2)" | "DATE" | "TINYINT(1)";
export type Table = { name: string; columns: Record<string, ColumnType>; rows: Cell[][] };

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
const some = <T>(random: Random, max: number, make: () => T): T[] =>
  Array.from({ length: Math.floor(random() * (max + 1)) }, make);

/** One to a collation that takes no account of case, accents and spaces behind. */
const TEXTS = ["no", "se", "NO", "no ", "nö", "n_", "", null];
const DAYS = ["2026-01-01", "2026-01-02", null];

export function randomTables(random: Random): Table[] {
  const rows = (count: number, row: (i: number) => Cell[]) => Array.from({ length: count }, (_, i) => row(i));
  return [
    {
      name: "a",
      columns: { id: "INT", region: "VARCHAR(20)", score: "INT", amount: "DECIMAL(10,2)", day: "DATE" },
      rows: rows(30, (i) => [i, pick(random, TEXTS), pick(random, [0, 1, 2, null]), i / 4, pick(random, DAYS)]),
    },
    {
      name: "b",
      columns: { id: "INT", a_id: "INT", region: "VARCHAR(20)", flag: "TINYINT(1)" },
      rows: rows(20, (i) => [i, Math.floor(random() * 30), pick(random, TEXTS), pick(random, [1, 0, null])]),
    },
  ];
}

const OPERATORS: Record<ColumnType, RowFilter[]> = {
  "VARCHAR(20)": (
    ["equals", "notEquals", "in", "contains", "notContains", "startsWith", "notEndsWith", "set"] as const
  ).flatMap((operator) =>
    [["no"], ["no", "se"], ["se", null], ["N_"]].map((values) => ({ member: "", operator, values })),
  ),
  INT: (["equals", "notEquals", "gt", "gte", "lt", "lte", "notSet"] as const).flatMap((operator) =>
    ["1", "1.5", "no"].map((value) => ({ member: "", operator, values: [value] })),
  ),
  "DECIMAL(10,2)": (["equals", "notIn", "gt", "lte"] as const).flatMap((operator) =>
    ["1.5", "2", "2.125"].map((value) => ({ member: "", operator, values: [value] })),
  ),
  DATE: (["onTheDate", "afterDate", "beforeOrOnDate", "notEquals", "set"] as const).map((operator) => ({
    member: "",
    operator,
    values: ["2026-01-01"],
  })),
  "TINYINT(1)": (["equals", "notEquals", "gt"] as const).flatMap((operator) =>
    ["true", "0"].map((value) => ({ member: "", operator, values: [value] })),
  ),
};

function randomFilter(random: Random, table: Table, depth = 0): RowFilter {
  if (depth < 2 && random() < 0.3) {
    const inner = some(random, 2, () => randomFilter(random, table, depth + 1));
    return random() < 0.5 ? { and: inner } : { or: inner };
  }
  const member = random() < 0.05 ? "gone" : pick(random, Object.keys(table.columns));
  const filter = pick(random, OPERATORS[table.columns[member] ?? "INT"]);
  return { ...filter, member: random() < 0.5 ? member : member.toUpperCase() } as RowFilter;
}

function randomGrant(random: Random, schema: string, table: Table): AccessGrant {
  const names = Object.keys(table.columns);
  const masked = names.filter(() => random() < 0.15);
  return {
    schema: random() < 0.7 ? schema : "*",
    table: random() < 0.8 ? table.name : "*",
    excludes: names.filter(() => random() < 0.15),
    masks: Object.fromEntries(masked.map((name) => [name, randomMask(random, table.columns[name]!)])),
    filters: random() < 0.05 ? null : some(random, 2, () => randomFilter(random, table)),
  };
}

const randomMask = (random: Random, type: ColumnType): MaskValue =>
  type === "DATE" || random() < 0.3 ? null : type === "VARCHAR(20)" ? "*'\\" : 7;

/** One grant of a target at most in each, as the platform keeps them. */
export const randomRoles = (random: Random, schema: string, tables: readonly Table[]): AccessRoles =>
  some(random, 3, () => {
    const grants = tables.filter(() => random() < 0.85).map((table) => randomGrant(random, schema, table));
    const keys = grants.map((grant) => `${grant.schema}.${grant.table}`);
    return grants.filter((_, i) => keys.indexOf(keys[i]!) === i);
  });

const closest = (role: readonly AccessGrant[], schema: string, table: string): AccessGrant | undefined =>
  [
    [schema, table],
    ["*", table],
    [schema, "*"],
    ["*", "*"],
  ]
    .map(([s, t]) => role.find((grant) => grant.schema === s && grant.table === t))
    .find((grant) => grant !== undefined);

/** The table without what is hidden; undefined where all of it is. */
export function shownTable(table: Table, schema: string, roles: AccessRoles): Table | undefined {
  const grants = roles.flatMap((role) => closest(role, schema, table.name) ?? []);
  const names = Object.keys(table.columns);
  const shown = names.filter((name) => grants.some(({ excludes }) => !excludes.includes(name)));
  if (shown.length === 0) return undefined;
  const rows = table.rows.flatMap((row) => {
    const open = grants.filter(
      ({ filters }) =>
        filters !== null && isBelievable(filters, names) && filters.every((filter) => holds(filter, table, row)),
    );
    return open.length === 0 ? [] : [shown.map((name) => cellOf(open, grants, name, row[names.indexOf(name)]!))];
  });
  return { name: table.name, columns: Object.fromEntries(shown.map((name) => [name, table.columns[name]!])), rows };
}

function cellOf(open: readonly AccessGrant[], all: readonly AccessGrant[], name: string, value: Cell): Cell {
  const granting = open.filter(({ excludes }) => !excludes.includes(name));
  if (granting.some(({ masks }) => !Object.hasOwn(masks, name))) return value;
  // The mask that counts is that of the first of all grants whose mask shows the column here.
  const masks = all.map((grant) => grant.masks[name]).filter((mask) => mask !== undefined);
  const here = granting.map((grant) => grant.masks[name]);
  return (masks.find((mask) => here.includes(mask)) ?? null) as Cell;
}

const isBelievable = (filters: readonly RowFilter[], names: readonly string[]): boolean =>
  filters.every((filter) =>
    "member" in filter
      ? names.includes(filter.member.toLowerCase())
      : isBelievable("and" in filter ? filter.and : filter.or, names),
  );

function holds(filter: RowFilter, table: Table, row: readonly Cell[]): boolean {
  if ("and" in filter) return filter.and.every((inner) => holds(inner, table, row));
  if ("or" in filter) return filter.or.some((inner) => holds(inner, table, row));
  const { operator, values } = filter;
  const member = filter.member.toLowerCase();
  const cell = row[Object.keys(table.columns).indexOf(member)]!;
  if (operator === "set") return cell !== null;
  if (operator === "notSet") return cell === null;
  const known = values.filter((value) => value !== null);
  return isPlain(table.columns[member]!, operator)
    ? textHolds(operator, cell, known, values.includes(null))
    : numberHolds(operator, cell, known[0]!, table.columns[member]!);
}

const isPlain = (type: ColumnType, operator: string): boolean =>
  type === "VARCHAR(20)" || (type === "DATE" && operator === "notEquals");

function textHolds(operator: string, cell: Cell, known: readonly string[], isNullNamed: boolean): boolean {
  const isNegated = operator.startsWith("not");
  if (cell === null) return isNegated ? !isNullNamed : isNullNamed;
  const text = String(cell);
  const small = text.toLowerCase();
  const isAny = known.some((value) => {
    const part = value.toLowerCase();
    if (/contains/i.test(operator)) return small.includes(part);
    if (/startsWith/i.test(operator)) return small.startsWith(part);
    return /endsWith/i.test(operator) ? small.endsWith(part) : text === value;
  });
  return isAny !== isNegated;
}

function numberHolds(operator: string, cell: Cell, value: string, type: ColumnType): boolean {
  const isDate = type === "DATE";
  const limit = isDate ? value : type === "TINYINT(1)" && value === "true" ? 1 : Number(value);
  if (Number.isNaN(limit)) return false;
  const fits = type === "DECIMAL(10,2)" ? value !== "2.125" : isDate || Number.isInteger(limit);
  if (operator === "notEquals" || operator === "notIn") return fits && (cell === null || cell !== limit);
  if (cell === null) return false;
  if (operator === "equals" || operator === "onTheDate") return cell === limit;
  if (operator === "gt" || operator === "afterDate") return cell > limit;
  if (operator === "lte" || operator === "beforeOrOnDate") return cell <= limit;
  return operator === "gte" ? cell >= limit : cell < limit;
}

/** `DB` stands for the database; a column or a table of it may be hidden. */
export function randomStatement(random: Random): string {
  const table = pick(random, ["a", "DB.a", "b", "`b`", "DB.`a`"]);
  const column = () => pick(random, ["id", "region", "score", "amount", "day", "a_id", "flag"]);
  const condition = pick(random, [
    "TRUE",
    "id > 5",
    "region = 'no'",
    "region LIKE 'n%'",
    "score IS NULL OR score < 2",
    "EXP(IF(region = 'se', 800, 1)) > 0",
    "amount BETWEEN 1 AND 4",
    "id IN (SELECT a_id FROM b)",
    "EXISTS (SELECT 1 FROM DB.a z WHERE z.id = 3)",
    "flag",
  ]);
  return pick(random, [
    `SELECT * FROM ${table} WHERE ${condition}`,
    `SELECT ${column()}, ${column()} AS other FROM ${table} AS t WHERE ${condition}`,
    `SELECT COUNT(*), MIN(${column()}), MAX(${column()}), SUM(id) FROM ${table}`,
    `SELECT COUNT(*) FROM ${table} GROUP BY ${column()}`,
    `SELECT DISTINCT t.${column()} FROM ${table} t`,
    `SELECT a.id, b.id, b.${column()} FROM a JOIN DB.b ON b.a_id = a.id`,
    `SELECT a.${column()}, n FROM a LEFT JOIN (SELECT a_id, COUNT(*) AS n FROM b GROUP BY a_id) c ON c.a_id = a.id`,
    `WITH a AS (SELECT id, ${column()} FROM a WHERE ${condition}) SELECT * FROM a`,
    `WITH t AS (WITH u AS (SELECT * FROM ${table}) SELECT * FROM u WHERE ${condition}) SELECT COUNT(*) FROM t`,
    `SELECT id FROM a WHERE ${condition} UNION ALL SELECT ${column()} FROM b`,
    `SELECT (SELECT COUNT(*) FROM b WHERE b.a_id = a.id), a.${column()} FROM a`,
    `SELECT id, RANK() OVER (PARTITION BY ${column()} ORDER BY id) FROM ${table}`,
    `SELECT * FROM a NATURAL JOIN b`,
  ]);
}
