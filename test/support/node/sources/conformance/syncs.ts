// Syncs by each load method, over several runs with edits in between: after every one the lake is the source.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SyncBench, type Ran } from "../../sync/test-sync.ts";
import { remember } from "./asking.ts";
import { FAULTY_ROWS } from "./results.ts";
import type { Cell, SourceUnderTest, SuiteType, TestTable } from "./source-under-test.ts";

/** Small ranges of small tables, where a source is compared by ranges. */
const RANGE_ROWS = 20;
const ROWS = 400;

const VALUES: Record<string, SuiteType> = {
  name: "text",
  amount: "decimal",
  ratio: "double",
  seen: "timestamp",
  day: "date",
};

/** Keys of the i-th row. */
const KEYS: Record<string, { columns: Record<string, SuiteType>; cells(i: number): Cell[] }> = {
  numbers: { columns: { id: "bigint" }, cells: (i) => [String((i - 100) * 1_000_003)] },
  texts: { columns: { code: "text" }, cells: (i) => [`k, ${i} ü`] },
  dates_and_texts: { columns: { on_day: "date", code: "text" }, cells: (i) => [dayOf(i % 90), `k${i}`] },
};

const dayOf = (i: number): string => new Date(Date.UTC(1969, 11, 1) + i * 86_400_000).toISOString().slice(0, 10);

/** How the lake's columns are compared: as DuckDB prints them, of the types that the suite means. */
const IN_LAKE: Record<SuiteType, (column: string) => string> = {
  bigint: (column) => `CAST(${column} AS VARCHAR)`,
  text: (column) => column,
  decimal: (column) => `CAST(CAST(${column} AS DECIMAL(18,4)) AS VARCHAR)`,
  double: (column) => `CAST(${column} AS VARCHAR)`,
  timestamp: (column) => `CAST(${column} AS VARCHAR)`,
  date: (column) => `CAST(${column} AS VARCHAR)`,
};

/** A table at the source, and what it holds: rows by their key. */
class EditedTable {
  readonly table: TestTable;
  readonly #place: SourceUnderTest;
  readonly #cells: (i: number) => Cell[];
  rows = new Map<string, Cell[]>();
  #next = 0;

  constructor(place: SourceUnderTest, name: string, { columns, cells }: (typeof KEYS)[string]) {
    this.table = { name, columns: { ...columns, ...VALUES }, key: Object.keys(columns) };
    this.#place = place;
    this.#cells = cells;
  }

  create(): Promise<void> {
    return this.#place.create(this.table);
  }

  async insert(count: number): Promise<void> {
    const rows = Array.from({ length: count }, () => {
      const i = this.#next++;
      return [...this.#cells(i), ...this.#valuesOf(i)];
    });
    await this.insertRows(rows);
  }

  async insertRows(rows: readonly Cell[][]): Promise<void> {
    for (const row of rows) this.rows.set(this.#keyOf(row), row);
    await this.#place.insert(this.table, rows);
  }

  /** Updates the rows at these positions. */
  async update(...at: number[]): Promise<void> {
    const rows = this.#at(at).map((row) => [...row.slice(0, this.table.key.length), ...this.#valuesOf(this.#next++)]);
    for (const row of rows) this.rows.set(this.#keyOf(row), row);
    await this.#place.update(this.table, rows);
  }

  async remove(...at: number[]): Promise<void> {
    const rows = this.#at(at);
    for (const row of rows) this.rows.delete(this.#keyOf(row));
    await this.#place.remove(this.table, rows);
  }

  firstRows(count: number): Cell[][] {
    return [...this.rows.values()].slice(0, count);
  }

  /** Rows of the keys of `rows`, with other values. */
  insertChanged(rows: readonly Cell[][]): Promise<void> {
    return this.insertRows(
      rows.map((row) => [...row.slice(0, this.table.key.length), ...this.#valuesOf(this.#next++)]),
    );
  }

  async addColumn(name: string, type: SuiteType): Promise<void> {
    await this.#place.addColumn(this.table, name, type);
    this.table.columns[name] = type;
    for (const row of this.rows.values()) row.push(null);
  }

  async dropColumn(name: string): Promise<void> {
    await this.#place.dropColumn(this.table, name);
    const index = Object.keys(this.table.columns).indexOf(name);
    delete this.table.columns[name];
    for (const row of this.rows.values()) row.splice(index, 1);
  }

  /** Every column differs from row to row, and some are NULL. */
  #valuesOf(i: number): Cell[] {
    const all: Record<string, Cell> = {
      name: i % 7 === 0 ? null : i % 11 === 0 ? "" : `it's ${i}, "ü" 😀`,
      amount: i % 5 === 0 ? null : `${i % 2 === 0 ? "-" : ""}${i}.${String(i % 10_000).padStart(4, "0")}`,
      ratio: `${i}.25`,
      seen: `2026-01-31 10:${String(i % 60).padStart(2, "0")}:00.${String(10_000 + i)}1`,
      day: i % 13 === 0 ? null : dayOf(i),
      added: `added ${i}`,
    };
    return Object.keys(this.table.columns)
      .slice(this.table.key.length)
      .map((name) => all[name] ?? null);
  }

  #keyOf = (row: readonly Cell[]): string => JSON.stringify(row.slice(0, this.table.key.length));

  #at(places: number[]): Cell[][] {
    const all = [...this.rows.values()];
    return [...new Set(places.map((place) => all[place % all.length]!))];
  }

  /** What the lake is to answer, in order. */
  expected(): string[] {
    return [...this.rows.values()].map((row) => JSON.stringify(row)).sort();
  }

  async inLake(bench: SyncBench): Promise<string[]> {
    const columns = Object.entries(this.table.columns).map(([name, type], i) => `${IN_LAKE[type](name)} AS c${i}`);
    const rows = await bench.texts(`SELECT ${columns.join(", ")} FROM main.${this.table.name}`);
    return rows.map((row) => JSON.stringify(row)).sort();
  }
}

export function describeSyncs(place: () => SourceUnderTest): void {
  describe("syncs", () => {
    let bench: SyncBench;
    beforeEach(async () => {
      bench = await SyncBench.open(place().source, RANGE_ROWS);
    });
    afterEach(async () => {
      place().heal();
      await bench.close();
    });

    const run = async (edited: EditedTable, more: Partial<Parameters<SyncBench["run"]>[0]> = {}): Promise<Ran> => {
      const ran = await bench.run({ tables: [`${place().schema}.${edited.table.name}`], ...more });
      remember(JSON.stringify(ran));
      return ran;
    };
    /** Runs, and holds the lake against the source; answers what was said of the table. */
    const merge = async (edited: EditedTable, more: Parameters<typeof run>[1] = {}) => {
      const { error, progress } = await run(edited, more);
      expect(error).toBeNull();
      expect(await edited.inLake(bench)).toEqual(edited.expected());
      return progress.tables[0]!;
    };
    const edited = async (name: string, key = "numbers", rows = ROWS): Promise<EditedTable> => {
      const table = new EditedTable(place(), name, KEYS[key]!);
      await table.create();
      if (rows > 0) await table.insert(rows);
      return table;
    };

    it.each(Object.keys(KEYS))(
      "by merge, with a key of %s, read what changed and make the lake the source",
      async (key) => {
        const table = await edited(`merged_${key}`, key);
        await merge(table);
        for (const round of [1, 2, 3]) {
          await table.update(round * 7, round * 7 + 1, 399 - round);
          await table.remove(round * 31, 5);
          await table.insert(round * 2);
          const said = await merge(table);
          expect(said.method).toMatch(place().mergeMethod);
          expect(said.rowsRead).toBeLessThan(table.rows.size);
        }
        const said = await merge(table);
        expect(said).toMatchObject({ rowsRead: 0, rowsWritten: 0, rowsDeleted: 0 });
      },
    );

    it("by merge, follow a table that is empty, filled, emptied and filled again", async () => {
      const table = await edited("emptied", "numbers", 0);
      await merge(table);
      await table.insert(50);
      await merge(table);
      await table.remove(...Array.from({ length: 50 }, (_, i) => i));
      expect(table.rows.size).toBe(0);
      await merge(table);
      await table.insert(10);
      await merge(table);
    });

    it("by merge, follow columns that are added and dropped, and a table that another takes the place of", async () => {
      const table = await edited("altered");
      await merge(table);
      await table.addColumn("added", "text");
      await table.update(1, 2);
      await merge(table);
      await table.update(3);
      expect((await merge(table)).method).toMatch(place().mergeMethod);
      await table.dropColumn("ratio");
      await table.remove(9);
      await merge(table);
      await place().drop("altered");
      const another = await edited("altered", "texts", 30);
      await merge(another);
      await another.update(1);
      expect((await merge(another)).method).toMatch(place().mergeMethod);
    });

    it("by overwrite, replace the lake's rows with the source's", async () => {
      const table = await edited("replaced");
      await merge(table, { loadMethod: "overwrite" });
      await table.remove(1, 2, 3);
      await table.update(10);
      await table.insert(3);
      const said = await merge(table, { loadMethod: "overwrite" });
      expect(said.rowsRead).toBe(table.rows.size);
    });

    it("by append, add new rows by their cursor and leave the others", async () => {
      const table = await edited("appended");
      const path = `${place().schema}.appended`;
      const append = { loadMethod: "append" as const, cursors: { [path]: "id" } };
      await merge(table, append);
      const before = table.expected();
      await table.insert(5);
      await merge(table, append);
      await table.remove(0);
      await table.insert(2);
      const { error } = await run(table, append);
      expect(error).toBeNull();
      const lake = await table.inLake(bench);
      expect(lake.length).toBe(ROWS + 7);
      expect(new Set(lake)).toEqual(new Set([...before, ...table.expected()]));
    });

    it("by append without a cursor, add the rows whose key the lake lacks, and count those that it has otherwise", async () => {
      const table = await edited("keyed", "texts", 50);
      const append = { loadMethod: "append" as const };
      await merge(table, append);
      await table.insert(3);
      await merge(table, append);
      await table.update(1, 2);
      const { error, progress } = await run(table, append);
      expect(error).toBeNull();
      expect(progress.tables[0]).toMatchObject({ rowsWritten: 0, warnings: [{ code: "rows_not_written" }] });
    });

    it("by append, add all rows of a table that was emptied and whose numbers began anew, and all that come", async () => {
      const table = await edited("anew", "numbers", 30);
      const append = { loadMethod: "append" as const, cursors: { [`${place().schema}.anew`]: "id" } };
      await merge(table, append);
      const before = table.expected();
      const again = table.firstRows(8);
      await table.remove(...Array.from({ length: 30 }, (_, i) => i));
      await table.insertChanged(again.slice(0, 5));
      const { error, progress } = await run(table, append);
      expect(error).toBeNull();
      expect(progress.tables[0]).toMatchObject({ rowsWritten: 5, warnings: [{ code: "numbers_began_anew" }] });
      await table.insertRows(again.slice(5));
      const next = await run(table, append);
      expect(next.error).toBeNull();
      expect(next.progress.tables[0]).toMatchObject({ rowsWritten: 3, warnings: [] });
      expect(await table.inLake(bench)).toEqual([...before, ...table.expected()].sort());
    });

    it("that break in the middle commit nothing, and the next run makes the lake the source", async () => {
      const { faults, heal, createGenerated, schema } = place();
      const [name, rows] = ["breaking", FAULTY_ROWS];
      await createGenerated(name, rows);
      for (const [fault, begin] of Object.entries(faults)) {
        if (fault === "stalls") continue;
        begin();
        const tables = [`${schema}.${name}`];
        const broken = await bench.run({ tables, loadMethod: "overwrite", destSchema: fault });
        remember(JSON.stringify(broken));
        expect(broken.outcome, fault).toBe("failed");
        expect(broken.error, fault).toMatch(/\w{3} \w/);
        heal();
        await expect(bench.texts(`SELECT count(*) FROM ${fault}.${name}`), fault).rejects.toThrow();
        const whole = await bench.run({ tables, loadMethod: "overwrite", destSchema: fault });
        expect(whole.error, fault).toBeNull();
        expect(await bench.texts(`SELECT count(*), count(DISTINCT i), min(i), max(i) FROM ${fault}.${name}`)).toEqual([
          [rows, rows, 1, rows],
        ]);
      }
      await expect.poll(() => place().connections(), { timeout: 20_000, interval: 25 }).toBe(0);
    });
  });
}
