// Values of every type: what a query answers of them, and what the lake has.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectorOf } from "../../../../../containers/engine/sources/connectors.ts";
import { ExtractionBench, never, readBack } from "../extraction.ts";
import { ask } from "./asking.ts";
import type { SourceUnderTest } from "./source-under-test.ts";

export function describeValues(place: () => SourceUnderTest): void {
  describe("values", () => {
    let bench: ExtractionBench;
    beforeAll(async () => {
      bench = await ExtractionBench.open();
    });
    afterAll(() => bench.close());

    it("of each type are exact in a query's answer and in the lake, and so is NULL", async () => {
      const { source, schema, values, table, createValues } = place();
      for (const [i, { declared, kind, lake, values: cells }] of values.entries()) {
        const name = `values_${i}`;
        await createValues(name, declared, [...cells.map(([sql]) => sql), "NULL"]);
        const { columns, rows } = await ask(source, `SELECT c FROM ${table(name)} ORDER BY id`);
        expect(columns[0], declared).toMatchObject({ kind });
        expect(rows, declared).toEqual([...cells.map(([, queried]) => [queried]), [null]]);
        const { table: described, files } = await bench.extract(source, { schema, name });
        expect(described.columns[1]!.lake, declared).toMatchObject({ type: lake, nullable: true });
        expect(await readBack(files, "SELECT c FROM t ORDER BY id"), declared).toEqual([
          ...cells.map(([, queried, inLake = queried]) => [inLake]),
          [null],
        ]);
      }
    });

    it("of no rows have their columns, in a query and in the lake", async () => {
      const { source, schema, table, create } = place();
      await create({ name: "nothing", columns: { id: "bigint", note: "text" }, key: ["id"] });
      const { columns, rows } = await ask(source, `SELECT id, note FROM ${table("nothing")}`);
      expect(columns.map(({ name }) => name.toLowerCase())).toEqual(["id", "note"]);
      expect(rows).toEqual([]);
      const { table: described, rows: read } = await bench.extract(source, { schema, name: "nothing" });
      expect(described.columns.length).toBe(2);
      expect(read).toBe(0);
    });

    it("are found by the names that people type as much when a sync is set up as when it runs", async () => {
      const { source, folding } = place();
      const introspected = await connectorOf(source).introspect(source, never());
      const snapshot = await bench.snapshot(source);
      await snapshot.close();
      expect([introspected.folding ?? "exact", snapshot.folding ?? "exact"]).toEqual([folding, folding]);
    });

    it("are of the moment a snapshot was opened at, or said not to be", async () => {
      const { source } = place();
      const snapshot = await bench.snapshot(source);
      try {
        expect(snapshot.consistency).toMatch(/\w/);
        expect(await snapshot.listTables(never())).toContainEqual(
          expect.objectContaining({ schema: place().schema, name: "nothing", isView: false }),
        );
      } finally {
        await snapshot.close();
      }
    });
  });
}
