// A kind of source offers this to the conformance suite: a database with data of the suite's own, reached by the engine
// as users reach theirs, and what the suite can do behind the engine's back.

import type { NameFolding } from "../../../../../kernel/text/name-folding.ts";
import type { Source } from "../../../../../kernel/wire/source.ts";
import type { ValueKind } from "../../../../../containers/engine/formats/result.ts";

/** Types that every kind of source has something for, of these values in the lake: see {@link SqlWords.types}. */
export type SuiteType = "bigint" | "text" | "decimal" | "double" | "timestamp" | "date";

/** A value as DuckDB prints it: `-1.5000`, `0.25`, `2026-01-31 10:00:00.25`. */
export type Cell = string | null;

export type BoundText = { sql: string; values: readonly Cell[] };

export type UnheldText = "NUL" | "more than 65,535 bytes";

export type TestTable = { name: string; columns: Record<string, SuiteType>; key: string[] };

/** What one declared type holds: every value as SQL, as a query answers it, and as the lake has it. */
export type ValueCase = {
  /** The type as a column of a table is declared. */
  declared: string;
  kind: ValueKind;
  /** The lake's type, as in `kernel/lake/lake.ts`. */
  lake: string;
  /** As DuckDB prints the lake's, where that is not what the query answers. NULL is asked in any case. */
  values: [sql: string, queried: string, inLake?: string][];
};

export type SourceUnderTest = {
  /** What the engine is given. Its secrets are searched for in all that is said. */
  source: Source;
  /** This source with a secret that it refuses. */
  refused: Source;
  /** The schema of the tables that are made here, as the engine knows it. */
  schema: string;
  /** How the engine says that it takes names which somebody typed. */
  folding: NameFolding;
  values: ValueCase[];
  /** How a table is called in a statement that the engine sends. */
  table(name: string): string;
  create(table: TestTable): Promise<void>;
  /** A table `name` of an `id` and one column `c`, as it is declared, with a row for each literal. */
  createValues(name: string, declared: string, literals: readonly string[]): Promise<void>;
  drop(name: string): Promise<void>;
  insert(table: TestTable, rows: readonly Cell[][]): Promise<void>;
  /** Rows by their key, which is in them. */
  update(table: TestTable, rows: readonly Cell[][]): Promise<void>;
  remove(table: TestTable, rows: readonly Cell[][]): Promise<void>;
  addColumn(table: TestTable, name: string, type: SuiteType): Promise<void>;
  dropColumn(table: TestTable, name: string): Promise<void>;
  /** A statement of so many rows, made as they are read: a whole number `i` from 1 on, and a text `t`, `row 1` … */
  generate(rows: number): string;
  /** A table, or a view, of the same rows. */
  createGenerated(name: string, rows: number): Promise<void>;
  /**
   * The last statement with values as it came to a fake, and its values. Undefined of a real server: its answer says
   * what came.
   */
  lastBound: (() => BoundText) | undefined;
  /** Texts that this database can't hold, among those that some can't. */
  unheld: readonly UnheldText[];
  /** How many statements of the engine the source works on now. */
  running(): Promise<number> | number;
  /** How many connections of the engine are open, or requests of it unanswered. */
  connections(): number;
  /** What goes wrong in the middle of the next results, by name, until it is healed. */
  faults: Record<string, () => void>;
  heal(): void;
  /** What a run says of how it found what to merge. */
  mergeMethod: RegExp;
  close(): Promise<void>;
};

/** What it takes to write the edits of a suite in SQL. */
export type SqlWords = {
  run(sql: string): Promise<unknown>;
  /** In a statement that `run` takes. */
  table(name: string): string;
  quote(identifier: string): string;
  /**
   * Declarations: `bigint` and `text` (of 200 characters, fit for a key), `decimal` of 18 digits with 4 behind the
   * point, `double`, `timestamp` to the microsecond and without a zone, `date`.
   */
  types: Record<SuiteType, string>;
  /** The literal of a text that is not NULL; `'…'` where absent. */
  literal?(type: SuiteType, text: string): string;
};

type Edits = Pick<
  SourceUnderTest,
  "create" | "createValues" | "drop" | "insert" | "update" | "remove" | "addColumn" | "dropColumn"
>;

const ROWS_PER_INSERT = 200;

/** The edits of a source that takes standard SQL. */
export function sqlEdits({ run, table: nameOf, quote, types, literal = quoted }: SqlWords): Edits {
  const write = (type: SuiteType, cell: Cell | undefined): string => (cell == null ? "NULL" : literal(type, cell));
  const cellsOf = ({ columns }: TestTable, row: readonly Cell[]) =>
    Object.entries(columns).map(([name, type], i) => ({ name, sql: write(type, row[i]) }));
  const isRow = (table: TestTable, row: readonly Cell[]): string =>
    cellsOf(table, row)
      .filter(({ name }) => table.key.includes(name))
      .map(({ name, sql }) => `${quote(name)} = ${sql}`)
      .join(" AND ");
  return {
    async create({ name, columns, key }) {
      const declared = Object.entries(columns).map(
        ([column, type]) => `${quote(column)} ${types[type]}${key.includes(column) ? " NOT NULL" : ""}`,
      );
      const primary = key.length > 0 ? [`PRIMARY KEY (${key.map(quote).join(", ")})`] : [];
      await run(`CREATE TABLE ${nameOf(name)} (${[...declared, ...primary].join(", ")})`);
    },
    async createValues(name, declared, literals) {
      await run(
        `CREATE TABLE ${nameOf(name)} (${quote("id")} ${types.bigint} NOT NULL, ${quote("c")} ${declared},
          PRIMARY KEY (${quote("id")}))`,
      );
      for (const [i, value] of literals.entries())
        await run(`INSERT INTO ${nameOf(name)} (${quote("id")}, ${quote("c")}) VALUES (${i}, ${value})`);
    },
    async drop(name) {
      await run(`DROP TABLE ${nameOf(name)}`);
    },
    async insert(table, rows) {
      const columns = Object.keys(table.columns).map(quote).join(", ");
      for (let i = 0; i < rows.length; i += ROWS_PER_INSERT) {
        const values = rows.slice(i, i + ROWS_PER_INSERT).map(
          (row) =>
            `(${cellsOf(table, row)
              .map(({ sql }) => sql)
              .join(", ")})`,
        );
        await run(`INSERT INTO ${nameOf(table.name)} (${columns}) VALUES ${values.join(", ")}`);
      }
    },
    async update(table, rows) {
      for (const row of rows) {
        const set = cellsOf(table, row)
          .filter(({ name }) => !table.key.includes(name))
          .map(({ name, sql }) => `${quote(name)} = ${sql}`);
        await run(`UPDATE ${nameOf(table.name)} SET ${set.join(", ")} WHERE ${isRow(table, row)}`);
      }
    },
    async remove(table, rows) {
      for (const row of rows) await run(`DELETE FROM ${nameOf(table.name)} WHERE ${isRow(table, row)}`);
    },
    async addColumn({ name }, column, type) {
      await run(`ALTER TABLE ${nameOf(name)} ADD ${quote(column)} ${types[type]}`);
    },
    async dropColumn({ name }, column) {
      await run(`ALTER TABLE ${nameOf(name)} DROP COLUMN ${quote(column)}`);
    },
  };
}

const quoted = (_: SuiteType, text: string): string => `'${text.replaceAll("'", "''")}'`;
