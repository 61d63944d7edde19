// Vectors of DuckDB's in states that no statement of the other tests makes: values under NULLs, elements of no list.

import {
  ARRAY,
  DuckDBDataChunk,
  INTEGER,
  LIST,
  STRUCT,
  VARCHAR,
  type DuckDBType,
  type DuckDBValue,
} from "@duckdb/node-api";
import { arrayValue, listValue, structValue } from "@duckdb/node-api";
import duckdb, { type Vector } from "@duckdb/node-bindings";
import type { Data } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { columnOf } from "../../../../containers/engine/lake/process/canonical-text.ts";
import { vectorColumnOf } from "../../../../containers/engine/lake/process/results/arrow/column-of.ts";

/** The vector of `values`; `mend` changes it by DuckDB's own calls. */
function columnFrom(type: DuckDBType, values: DuckDBValue[], mend: (vector: Vector) => void): Data {
  const chunk = DuckDBDataChunk.create([type]);
  chunk.rowCount = values.length;
  chunk.setColumnValues(0, values);
  const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0);
  mend(vector);
  const column = vectorColumnOf(columnOf("v", type), type, { keptBytes: 1024, nextDictionary: 0 });
  column.read(vector, values.length);
  column.put(0, values.length);
  column.release();
  return column.data();
}

/** Leaves of the rows only those whose bits are set. */
function keepRows(vector: Vector, bits: number): void {
  duckdb.vector_ensure_validity_writable(vector);
  duckdb.copy_data_to_vector_validity(vector, 0, new BigUint64Array([BigInt(bits)]).buffer, 0, 8);
}

const bitsOf = ({ nullBitmap, length }: Data): boolean[] =>
  Array.from({ length }, (_, i) => ((nullBitmap![i >> 3]! >> (i & 7)) & 1) === 1);

describe("a vector", () => {
  it("of structs says nothing of the members of a NULL", () => {
    const rows = [structValue({ a: 1 }), structValue({ a: 2 }), structValue({ a: 3 })];
    const data = columnFrom(STRUCT({ a: INTEGER }), rows, (vector) => keepRows(vector, 0b101));
    const member = data.children[0]!;
    expect(bitsOf(data)).toEqual([true, false, true]);
    expect(bitsOf(member)).toEqual([true, false, true]);
    expect([...(member.values as Int32Array)]).toEqual([1, 0, 3]);
  });

  it("of fixed lists says nothing of the elements of a NULL", () => {
    const rows = [arrayValue([1, 2]), arrayValue([3, 4]), arrayValue([5, 6])];
    const data = columnFrom(ARRAY(INTEGER, 2), rows, (vector) => keepRows(vector, 0b110));
    const elements = data.children[0]!;
    expect(bitsOf(data)).toEqual([false, true, true]);
    expect(bitsOf(elements)).toEqual([false, false, true, true, true, true]);
    expect([...(elements.values as Int32Array)]).toEqual([0, 0, 3, 4, 5, 6]);
  });

  const LISTS = [listValue([1, 2, 3]), listValue([4]), listValue([5, 6])];

  /** Where each list begins, and how many elements it has. */
  const setLists = (vector: Vector, lists: [bigint, bigint][]): void => {
    const entries = BigUint64Array.from(lists.flat());
    duckdb.copy_data_to_vector(vector, 0, entries.buffer, 0, entries.byteLength);
  };

  it("of lists says nothing of elements that no list names, and minds no order of them", () => {
    const data = columnFrom(LIST(INTEGER), LISTS, (vector) =>
      setLists(vector, [
        [4n, 2n],
        [1n, 1n],
        [1n, 2n],
      ]),
    );
    expect([...data.valueOffsets]).toEqual([0, 2, 3, 5]);
    expect([...(data.children[0]!.values as Int32Array)]).toEqual([5, 6, 2, 2, 3]);
  });

  it("of lists has none of a NULL's elements, wherever it says that they are", () => {
    const data = columnFrom(LIST(INTEGER), LISTS, (vector) => {
      setLists(vector, [
        [0n, 1n],
        [1n << 40n, 1n << 50n],
        [4n, 2n],
      ]);
      keepRows(vector, 0b101);
    });
    expect([...data.valueOffsets]).toEqual([0, 1, 1, 3]);
    expect([...(data.children[0]!.values as Int32Array)]).toEqual([1, 5, 6]);
  });

  it.each([
    [5n, 2n],
    [1n << 32n, 1n],
    [0n, (1n << 32n) + 1n],
    [0xffff_ffffn, 0xffff_ffffn],
  ])("of lists whose elements would lie elsewhere is no result: %i, %i", (offset, length) => {
    const read = () =>
      columnFrom(LIST(INTEGER), LISTS, (vector) =>
        setLists(vector, [
          [0n, 1n],
          [offset, length],
          [4n, 2n],
        ]),
      );
    expect(read).toThrow("ends behind the elements");
  });

  // Strings of up to twelve bytes are in their entries. Longer ones lie elsewhere, some of them end to end.
  it.each<[strings: string, lengthOf: (i: number) => number]>([
    ["that are short", (i) => (i * 5) % 13],
    ["that are long", (i) => 13 + ((i * 7) % 300)],
    ["of every length", (i) => (i * 7) % 300],
    ["that are short and just too long by turns", (i) => 9 + ((i * 3) % 7)],
    ["that are short but for one", (i) => (i === 2500 ? 13 : i % 13)],
    ["that are short but for the last", (i) => (i === 4999 ? 1000 : i % 13)],
  ])("of strings %s has their bytes end to end, of more rows than a chunk has", (_strings, lengthOf) => {
    const strings = Array.from({ length: 5000 }, (_, i) => String(i).repeat(99).slice(0, lengthOf(i)));
    const { values, valueOffsets } = columnFrom(LIST(VARCHAR), [listValue(strings)], () => undefined).children[0]!;
    let end = 0;
    expect([...(valueOffsets as Int32Array)]).toEqual([0, ...strings.map(({ length }) => (end += length))]);
    expect(Buffer.from(values as Uint8Array).toString()).toBe(strings.join(""));
  });
});
