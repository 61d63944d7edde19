// The tables of a lake of which one caller sees a part, with what is seen of each, and the roles that say so.

import type { AccessGrant, AccessRoles } from "../../../../kernel/access/access.ts";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { column } from "../lake/test-lake.ts";
import { HIDDEN_NAME, HIDDEN_NUMBER, HIDDEN_TEXT } from "./canaries.ts";
import { aGrant } from "./a-grant.ts";

/** A table's whole rows, and which of them and of their cells are seen; `x` is a row's number. */
export type TableSpec = {
  schema: string;
  name: string;
  columns: LakeColumn[];
  rows: number;
  cells: Record<string, string>;
  /** Undefined where the table is denied. */
  seen?: { where: string; cells: Record<string, string>; without?: readonly string[] };
};

const PAD = "array_to_string(list_transform(range(4), lambda i: md5((x + i * 1000000)::VARCHAR)), '')";

const ORDERS: TableSpec = {
  schema: "sales",
  name: "orders",
  columns: [
    column(1, "id", "int64"),
    column(2, "region", "varchar"),
    column(3, "amount", "decimal(12,2)"),
    column(4, "note", "varchar"),
    column(5, "made", "timestamp"),
    column(6, `${HIDDEN_NAME}column`, "varchar"),
    column(7, "pin", "int64"),
    column(8, "tags", "list", [column(9, "element", "varchar")]),
    column(10, "info", "struct", [column(11, "a", "int64"), column(12, "b", "varchar")]),
    column(13, "owner", "varchar"),
    column(14, "pad", "varchar"),
  ],
  rows: 24_000,
  cells: {
    id: "x",
    region: `CASE WHEN x % 3 = 0 THEN 'north' WHEN x % 30 = 1 THEN NULL ELSE '${HIDDEN_TEXT}-south' END`,
    amount: `CASE WHEN x % 3 = 0 THEN x / 100 ELSE ${HIDDEN_NUMBER}.25 END`,
    note: `CASE WHEN x % 3 = 0 THEN x::VARCHAR ELSE '${HIDDEN_TEXT} note ' || x END`,
    made: `CASE WHEN x % 3 = 0 THEN TIMESTAMP '2026-01-01' ELSE TIMESTAMP '2031-01-01' END + INTERVAL (x) MINUTE`,
    [`${HIDDEN_NAME}column`]: `'${HIDDEN_TEXT} ' || x`,
    pin: `${HIDDEN_NUMBER}000 + x`,
    tags: `CASE WHEN x % 3 = 0 THEN ['a', x::VARCHAR] ELSE ['${HIDDEN_TEXT}'] END`,
    info: `{a: CASE WHEN x % 3 = 0 THEN x ELSE ${HIDDEN_NUMBER} END, b: CASE WHEN x % 3 = 0 THEN 'b' ELSE '${HIDDEN_TEXT}' END}`,
    owner: `'${HIDDEN_TEXT} owner'`,
    pad: `CASE WHEN x % 3 = 0 THEN ${PAD} ELSE '${HIDDEN_TEXT}' || ${PAD} END`,
  },
  seen: { where: "x % 3 = 0", cells: { pin: "0", owner: "'nobody'" }, without: [`${HIDDEN_NAME}column`] },
};

const PEOPLE: TableSpec = {
  schema: "main",
  name: "people",
  columns: [
    column(1, "id", "int64"),
    column(2, "name", "varchar"),
    column(3, "dept", "varchar"),
    column(4, "salary", "int64"),
    column(5, "pin", "varchar"),
    column(6, "pad", "varchar"),
  ],
  rows: 12_000,
  cells: {
    id: "x",
    name: "'person ' || x",
    dept: "CASE x % 4 WHEN 0 THEN 'eng' WHEN 1 THEN 'ops' WHEN 2 THEN 'hr' END",
    salary: `CASE WHEN x % 4 = 0 THEN 1000 + x ELSE ${HIDDEN_NUMBER}000 + x END`,
    pin: `CASE WHEN x % 4 = 0 THEN x::VARCHAR ELSE '${HIDDEN_TEXT} ' || x END`,
    pad: PAD,
  },
  seen: {
    where: "true",
    cells: {
      salary: "CASE WHEN x % 4 = 0 THEN 1000 + x END",
      pin: "CASE WHEN x % 4 = 0 THEN x::VARCHAR ELSE 'masked' END",
    },
  },
};

/** Its filter is on a column that is not shown. */
const TICKETS: TableSpec = {
  schema: "main",
  name: "tickets",
  columns: [
    column(1, "id", "int64"),
    column(2, `${HIDDEN_NAME}team`, "varchar"),
    column(3, "title", "varchar"),
    column(4, "pad", "varchar"),
  ],
  rows: 12_000,
  cells: {
    id: `CASE WHEN x < 4000 THEN x ELSE ${HIDDEN_NUMBER}000 + x END`,
    [`${HIDDEN_NAME}team`]: "CASE WHEN x < 4000 THEN 'mine' ELSE 'theirs' END",
    title: `CASE WHEN x < 4000 THEN 'ticket ' || x ELSE '${HIDDEN_TEXT} ' || x END`,
    pad: PAD,
  },
  seen: { where: "x < 4000", cells: {}, without: [`${HIDDEN_NAME}team`] },
};

/** All rows are seen, some columns are not. */
const CONTACTS: TableSpec = {
  schema: "main",
  name: "contacts",
  columns: [
    column(1, "id", "int64"),
    column(2, "email", "varchar"),
    column(3, `${HIDDEN_NAME}phone`, "varchar"),
    column(4, "born", "date"),
    column(5, "city", "varchar"),
    column(6, "pad", "varchar"),
  ],
  rows: 12_000,
  cells: {
    id: "x",
    email: `'${HIDDEN_TEXT}' || x || '@example.com'`,
    [`${HIDDEN_NAME}phone`]: `'${HIDDEN_NUMBER}' || x`,
    born: `DATE '1970-01-01' + x::INTEGER`,
    city: "CASE WHEN x % 2 = 0 THEN 'Oslo' END",
    pad: PAD,
  },
  seen: { where: "true", cells: { email: "'someone'", born: "CAST(NULL AS DATE)" }, without: [`${HIDDEN_NAME}phone`] },
};

const NOTHING: TableSpec = {
  schema: "main",
  name: "nothing",
  columns: [column(1, "id", "int64"), column(2, "note", "varchar")],
  rows: 100,
  cells: { id: `${HIDDEN_NUMBER}00 + x`, note: `'${HIDDEN_TEXT}'` },
  seen: { where: "false", cells: {} },
};

const OPEN: TableSpec = {
  schema: "main",
  name: "open",
  columns: [column(1, "id", "int64"), column(2, "label", "varchar")],
  rows: 50,
  cells: { id: "x", label: "'label ' || x" },
  seen: { where: "true", cells: {} },
};

const DENIED: TableSpec = {
  schema: `${HIDDEN_NAME}schema`,
  name: `${HIDDEN_NAME}table`,
  columns: [column(1, "id", "int64"), column(2, `${HIDDEN_NAME}note`, "varchar")],
  rows: 100,
  cells: { id: `${HIDDEN_NUMBER}00 + x`, [`${HIDDEN_NAME}note`]: `'${HIDDEN_TEXT}'` },
};
/** Likely to be suggested for a slip in the name of one that is there. */
const NEAR: TableSpec = { ...DENIED, schema: "sales", name: "order" };

export const TABLES = [DENIED, ORDERS, PEOPLE, NEAR, TICKETS, CONTACTS, NOTHING, OPEN];

const grant = (schema: string, table: string, more: Partial<AccessGrant> = {}): AccessGrant =>
  aGrant(table, { schema, ...more });

export const ROLES: AccessRoles = [
  [
    grant("sales", "orders", {
      excludes: [`${HIDDEN_NAME}column`],
      masks: { pin: 0, owner: "nobody" },
      filters: [{ member: "region", operator: "equals", values: ["north"] }],
    }),
    grant("main", "people", { excludes: ["salary"], masks: { pin: "masked" } }),
    grant("main", "tickets", {
      excludes: [`${HIDDEN_NAME}team`],
      filters: [{ member: `${HIDDEN_NAME}team`, operator: "in", values: ["mine", "ours"] }],
    }),
    grant("main", "contacts", { excludes: [`${HIDDEN_NAME}phone`], masks: { email: "someone", born: null } }),
    grant("main", "nothing", { filters: null }),
    grant("main", "open"),
  ],
  [grant("main", "people", { filters: [{ member: "dept", operator: "equals", values: ["eng"] }] })],
];
