// Results under members' names, and rows between processes: decided without a database.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Output } from "../../../../containers/engine/formats/output.ts";
import type { Column, ValueKind, Row } from "../../../../containers/engine/formats/result.ts";
import { createRowPacker } from "../../../../containers/engine/formats/row-packer.ts";
import { CellRows, putCellRow } from "../../../../containers/engine/lake/process/cell-rows.ts";
import { present } from "../../../../containers/engine/semantic/run/presentation.ts";

const found = (kind: ValueKind, i = 0): Column => ({ name: `c${i}`, type: kind, kind });
const cellsOf = ({ bytes, starts, ends }: Row) =>
  Array.from(starts, (start, i) => (ends[i]! < 0 ? null : Buffer.from(bytes.subarray(start, ends[i])).toString()));

describe("a time", () => {
  const shown = (text: string | null) => {
    const { rowOf } = present([{ member: "a.t", kind: "time" }], [found("timestamp")]);
    return cellsOf(rowOf(createRowPacker(1)([text])))[0];
  };

  it.each([
    ["2026-01-31T10:00:00", "2026-01-31T10:00:00.000"],
    ["2026-01-31T10:00:00.5", "2026-01-31T10:00:00.500"],
    ["2026-01-31T10:00:00.123999", "2026-01-31T10:00:00.123"],
    ["2026-01-31 10:00:00.123456789", "2026-01-31T10:00:00.123"],
    ["2026-01-31", "2026-01-31T00:00:00.000"],
    ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000"],
    ["2026-01-31T10:00:00.25+00", "2026-01-31T10:00:00.250"],
    [null, null],
    ["infinity", "infinity"],
    ["0000-00-00 00:00:00", "0000-00-00T00:00:00.000"],
    ["12026-01-31T10:00:00", "12026-01-31T10:00:00"],
    ["0044-03-15T00:00:00 (BC)", "0044-03-15T00:00:00 (BC)"],
    ["2026-01-31T10:00:00+02", "2026-01-31T10:00:00+02"],
    ["", ""],
  ])("%j is shown as %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it("is shown twice where it has a granularity, unless it is asked for by itself; the last granularity counts", () => {
    const time = (member: string) => ({ member, kind: "time" as const });
    const columnsOf = (...members: string[]) =>
      present(
        members.map(time),
        members.map((_, i) => found("timestamp", i)),
      );
    expect(columnsOf("a.t.day").columns.map(({ name }) => name)).toEqual(["a.t.day", "a.t"]);
    expect(columnsOf("a.t.day", "a.t").columns.map(({ name }) => name)).toEqual(["a.t.day", "a.t"]);
    const two = columnsOf("a.t.month", "a.t.day");
    expect(two.columns.map(({ name }) => name)).toEqual(["a.t.month", "a.t", "a.t.day"]);
    expect(cellsOf(two.rowOf(createRowPacker(2)(["2026-01-01", "2026-01-02"])))).toEqual([
      "2026-01-01T00:00:00.000",
      "2026-01-02T00:00:00.000",
      "2026-01-02T00:00:00.000",
    ]);
  });

  it("has the name besides that answers are blended by, where they are", () => {
    const members = ["a.t.month", "a.s.day"].map((member) => ({ member, kind: "time" as const }));
    const blended = present(members, [found("timestamp", 0), found("timestamp", 1)], { isBlended: true });
    const names = blended.columns.map(({ name }) => name);
    expect(names).toEqual(["a.t.month", "a.t", "time.month", "a.s.day", "a.s"]);
    const [month, day] = ["2026-01-01T00:00:00.000", "2026-01-02T00:00:00.000"];
    expect(cellsOf(blended.rowOf(createRowPacker(2)(["2026-01-01", "2026-01-02"])))).toEqual([
      month,
      month,
      month,
      day,
      day,
    ]);
  });
});

it("keeps every other cell as it is, whatever it holds, and the range beside it", () => {
  const members = ["a.x", "a.y"].map((member) => ({ member, kind: "value" as const }));
  const presentation = present(members, [found("text", 0), found("decimal", 1)], {
    compareDateRange: "2026-01-01 - Ø",
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.option(fc.string({ unit: "grapheme" })), fc.option(fc.string({ unit: "grapheme" })))),
      (rows) => {
        const pack = createRowPacker(2);
        for (const row of rows) expect(cellsOf(presentation.rowOf(pack(row)))).toEqual([...row, "2026-01-01 - Ø"]);
      },
    ),
  );
  expect(presentation.columns.map(({ name, kind }) => [name, kind])).toEqual([
    ["a.x", "text"],
    ["a.y", "decimal"],
    ["compareDateRange", "text"],
  ]);
});

it("refuses a result of other columns than the query's", () => {
  expect(() => present([{ member: "a.x", kind: "value" }], [])).toThrow(expect.objectContaining({ code: "internal" }));
});

it("cuts rows out of pieces, wherever these end", () => {
  const cell = fc.option(fc.string({ unit: "grapheme", maxLength: 40 }));
  const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 30 });
  fc.assert(
    fc.property(rows, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (written, sizes) => {
      const out = new Output();
      for (const row of written) putCellRow(out, row);
      const bytes = out.take();
      const reader = new CellRows(3);
      const read: (string | null)[][] = [];
      for (let at = 0, i = 0; at < bytes.length; at += sizes[i++ % sizes.length]!) {
        reader.add(bytes.subarray(at, at + sizes[i % sizes.length]!));
        for (let row = reader.next(); row; row = reader.next()) read.push(cellsOf(row));
      }
      expect(read).toEqual(written);
    }),
  );
});
