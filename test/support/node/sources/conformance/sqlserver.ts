// The fake of SQL Server for the conformance suite.

import { FakeSqlServer } from "../sqlserver/fake-sqlserver.ts";
import type { AnswerFault } from "../sqlserver/faults.ts";
import { numberedAnswer, numberedRows } from "../sqlserver/numbered-rows.ts";
import type { FakeValue } from "../sqlserver/tds/values.ts";
import type { Cell, SourceUnderTest, SuiteType, TestTable, ValueCase } from "./source-under-test.ts";

const FAULT_ROWS = 20_000;
/** Results of the suite's large tables alone: what the engine asks of the catalog stays whole. */
const LARGE = /GENERATE_SERIES|\[breaking\]|\[many\]/;

export async function sqlServerUnderTest(): Promise<SourceUnderTest> {
  const server = await FakeSqlServer.start();
  server.answers.push(numberedAnswer(server));
  const { tables } = server;
  const begin = (fault: AnswerFault) => () => {
    server.answerFault = { when: LARGE, ...fault };
  };
  return {
    source: server.source(),
    refused: server.source({ password: "a canary's wrong password" }),
    schema: "dbo",
    folding: "exact",
    values: VALUES,
    table: (name) => `dbo.[${name}]`,
    create: ({ name, columns, key }) => tables.create({ name, primaryKey: key, columns: declare(columns, key) }),
    async createValues(name, declared, literals) {
      const columns = [
        { name: "id", type: "bigint", nullable: false },
        { name: "c", type: declared },
      ];
      await tables.create({ name, columns, primaryKey: ["id"] });
      await tables.insert(
        { name },
        literals.map((literal, i) => [i, readLiteral(literal)]),
      );
    },
    drop: (name) => tables.drop({ name }),
    insert: ({ name }, rows) => tables.insert({ name }, rows),
    async update(table, rows) {
      for (const row of rows) await tables.update(table, assignments(table, row), isRow(table, row));
    },
    async remove(table, rows) {
      for (const row of rows) await tables.delete(table, isRow(table, row));
    },
    addColumn: (table, name, type) =>
      tables.alter(
        table,
        `ADD COLUMN "${name}" ${STORED[type]}`,
        declare({ ...table.columns, [name]: type }, table.key),
      ),
    async dropColumn(table, name) {
      const { [name]: _, ...left } = table.columns;
      await tables.alter(table, `DROP COLUMN "${name}"`, declare(left, table.key));
    },
    generate: numberedRows,
    createGenerated: (name, rows) =>
      tables.create({
        name,
        columns: [
          { name: "i", type: "bigint" },
          { name: "t", type: "nvarchar(200)" },
        ],
        view: `SELECT range AS i, 'row ' || range AS t FROM range(1, ${rows + 1})`,
      }),
    lastBound: () => {
      const { sql, values = new Map() } = server.bound!;
      return { sql, values: [...values.values()].map((value) => (value === null ? null : String(value))) };
    },
    unheld: [],
    running: () => server.running,
    connections: () => server.openSockets,
    faults: {
      closes: begin({ kind: "close", afterRows: FAULT_ROWS }),
      resets: begin({ kind: "reset", afterRows: FAULT_ROWS }),
      stalls: begin({ kind: "stall", afterRows: FAULT_ROWS }),
      errs: begin({
        kind: "error",
        afterRows: FAULT_ROWS,
        error: { number: 8134, message: "Divide by zero error encountered." },
      }),
      loses_a_row: begin({ kind: "drop", row: FAULT_ROWS }),
      loses_bytes: begin({ kind: "cut", afterRows: FAULT_ROWS, bytes: 7 }),
      says_a_value_is_huge: begin({ kind: "bytes", afterRows: FAULT_ROWS, bytes: Buffer.from([0xd1, 255]) }),
    },
    heal: () => {
      server.answerFault = undefined;
    },
    mergeMethod: /^\d+ of \d+ ranges had changed$/,
    async close() {
      if (server.failures.length > 0) throw new AggregateError(server.failures, "the fake met what it does not know");
      await server.close();
    },
  };
}

const TYPES: Record<SuiteType, string> = {
  bigint: "bigint",
  text: "nvarchar(200)",
  decimal: "decimal(18,4)",
  double: "float",
  timestamp: "datetime2(6)",
  date: "date",
};

/** The types in which DuckDB keeps the values. */
const STORED: Record<SuiteType, string> = {
  bigint: "BIGINT",
  text: "VARCHAR",
  decimal: "DECIMAL(18,4)",
  double: "DOUBLE",
  timestamp: "TIMESTAMP",
  date: "DATE",
};

const declare = (columns: TestTable["columns"], key: readonly string[]) =>
  Object.entries(columns).map(([name, type]) => ({ name, type: TYPES[type], nullable: !key.includes(name) }));

function cellsOf({ columns }: TestTable, row: readonly Cell[]): { name: string; sql: string }[] {
  return Object.entries(columns).map(([name, type], i) => {
    const cell = row[i] ?? null;
    return { name, sql: cell === null ? "NULL" : `CAST('${cell.replaceAll("'", "''")}' AS ${STORED[type]})` };
  });
}

const assignments = (table: TestTable, row: readonly Cell[]): string =>
  cellsOf(table, row)
    .filter(({ name }) => !table.key.includes(name))
    .map(({ name, sql }) => `"${name}" = ${sql}`)
    .join(", ");

const isRow = (table: TestTable, row: readonly Cell[]): string =>
  cellsOf(table, row)
    .filter(({ name }) => table.key.includes(name))
    .map(({ name, sql }) => `"${name}" = ${sql}`)
    .join(" AND ");

/** The suite's literals are values here: texts as they are, and bytes behind `0x`. */
function readLiteral(literal: string): FakeValue {
  if (literal === "NULL") return null;
  return literal.startsWith("0x") ? Buffer.from(literal.slice(2), "hex") : literal;
}

const same = (value: string): [string, string] => [value, value];

const VALUES: ValueCase[] = [
  { declared: "tinyint", kind: "integer", lake: "int16", values: [same("0"), same("255")] },
  { declared: "int", kind: "integer", lake: "int32", values: [same("-2147483648"), same("2147483647")] },
  {
    declared: "bigint",
    kind: "bigint",
    lake: "int64",
    values: [same("-9223372036854775808"), same("9223372036854775807")],
  },
  { declared: "bit", kind: "boolean", lake: "boolean", values: [same("true"), same("false")] },
  {
    declared: "decimal(38,10)",
    kind: "decimal",
    lake: "decimal(38,10)",
    values: [same("-9999999999999999999999999999.9999999999"), same("0.0000000001")],
  },
  {
    declared: "money",
    kind: "decimal",
    lake: "decimal(19,4)",
    values: [same("-922337203685477.5808"), same("922337203685477.5807"), same("-0.0001")],
  },
  {
    declared: "float",
    kind: "float",
    lake: "float64",
    values: [same("0.1"), ["-1.7976931348623157e308", "-1.7976931348623157e+308"]],
  },
  { declared: "real", kind: "float", lake: "float32", values: [same("0.1")] },
  { declared: "date", kind: "date", lake: "date", values: [same("0001-01-01"), same("9999-12-31")] },
  {
    declared: "time(6)",
    kind: "time",
    lake: "time",
    values: [["23:59:59.999999", "23:59:59.999999"], same("00:00:00")],
  },
  {
    declared: "datetime2(6)",
    kind: "timestamp",
    lake: "timestamp",
    values: [
      ["9999-12-31T23:59:59.999999", "9999-12-31T23:59:59.999999", "9999-12-31 23:59:59.999999"],
      ["0001-01-01T00:00:00.000001", "0001-01-01T00:00:00.000001", "0001-01-01 00:00:00.000001"],
    ],
  },
  {
    declared: "datetime",
    kind: "timestamp",
    lake: "timestamp",
    values: [["2026-01-31T10:00:00.003", "2026-01-31T10:00:00.003", "2026-01-31 10:00:00.003"]],
  },
  {
    declared: "datetimeoffset(6)",
    kind: "timestamptz",
    lake: "timestamptz",
    values: [["2026-01-31T10:00:00.5+02:00", "2026-01-31T08:00:00.5Z", "2026-01-31 08:00:00.5+00"]],
  },
  {
    declared: "uniqueidentifier",
    kind: "text",
    lake: "uuid",
    values: [["6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff"]],
  },
  { declared: "varbinary(max)", kind: "binary", lake: "blob", values: [["0x00ff", "AP8=", "\\x00\\xFF"]] },
  { declared: "nvarchar(max)", kind: "text", lake: "varchar", values: [same(""), same('𝕊 "quoted", ü')] },
  { declared: "varchar(50)", kind: "text", lake: "varchar", values: [same("it's é")] },
  { declared: "sql_variant", kind: "text", lake: "varchar", values: [same("a variant")] },
  { declared: "xml", kind: "text", lake: "varchar", values: [same("<a>é</a>")] },
  { declared: "hierarchyid", kind: "binary", lake: "blob", values: [["0x58", "WA==", "X"]] },
];
