import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChunkBuilder, makeColumns, ODD_FLOAT } from "../../../../containers/engine/extract/chunk-builder.ts";
import { extractInto } from "../../../../containers/engine/extract/extract-table.ts";
import type { ReadableSnapshot } from "../../../../containers/engine/extract/readable-snapshot.ts";
import { PostgresDecoder } from "../../../../containers/engine/sources/postgres/extraction/copy/copy-decoder.ts";
import { planColumn } from "../../../../containers/engine/sources/postgres/extraction/plan-column.ts";
import { message } from "../../../../containers/engine/sources/postgres/connection/wire.ts";
import { ExtractionBench, never } from "../../../support/node/sources/extraction.ts";
import { textTable } from "../../../support/node/sources/text-snapshot.ts";

type Cell = Buffer | null;

const HEADER = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]);
const hex = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text.replaceAll(" ", ""), "hex"));
const texts = (...values: string[]): Buffer[] => values.map((text) => Buffer.from(text));

/** The cells of each type that a loop puts, and those at its edges that it leaves to the slower way. */
const CELLS: Record<string, { oid: number; typmod?: number; elementOid?: number; cells: Cell[] }> = {
  bool: { oid: 16, cells: hex("00", "01") },
  int2: { oid: 21, cells: hex("0000", "7fff", "8000", "ffff") },
  int4: { oid: 23, cells: hex("00000000", "7fffffff", "80000000", "fffffffe") },
  int8: { oid: 20, cells: hex("0000000000000001", "7fffffffffffffff", "8000000000000000", "00000001ffffffff") },
  float4: { oid: 700, cells: hex("3f800000", "00000001", "7f7fffff") },
  odd4: { oid: 700, cells: hex("7fc00000", "ff800000", "80000000", "3f800000") },
  float8: { oid: 701, cells: hex("3ff0000000000000", "0000000000000001", "bff0000000000001") },
  odd8: { oid: 701, cells: hex("7ff8000000000000", "8000000000000000", "7ff0000000000000") },
  // Groups, weight, sign, scale, digits: 0, 1.23, -99999999.99, 12345678901.50, .05, one with a group behind the scale.
  "numeric(15,2)": {
    oid: 1700,
    typmod: 4 + ((15 << 16) | 2),
    cells: hex(
      "0000 0000 0000 0002",
      "0002 0000 0000 0002 0001 08fc",
      "0003 0001 4000 0002 270f 270f 26ac",
      "0004 0002 0000 0002 007b 11d7 2325 1388",
      "0001 ffff 0000 0002 01f4",
      "0003 0000 0000 0002 0001 08fc 0000",
      "0001 0001 0000 0000 0003",
    ),
  },
  "numeric(9,9)": {
    oid: 1700,
    typmod: 4 + ((9 << 16) | 9),
    cells: hex("0003 ffff 4000 0009 04d2 162e 2328", "0001 fffe 0000 0009 0001"),
  },
  "numeric(4,0)": {
    oid: 1700,
    typmod: 4 + (4 << 16),
    cells: hex("0001 0000 0000 0000 270f", "0001 0000 4000 0000 0001"),
  },
  "numeric(38,10)": {
    oid: 1700,
    typmod: 4 + ((38 << 16) | 10),
    cells: hex("0007 0006 0000 0000 270f 270f 270f 270f 270f 270f 270f", "0001 0000 4000 0000 0007"),
  },
  date: { oid: 1082, cells: hex("00000000", "7fffffff", "80000000", "ffda97a7", "7fda970c") },
  time: { oid: 1083, cells: hex("0000000000000000", "000000141dd75fff", "000000141dd76000", "0000000100000000") },
  timestamp: {
    oid: 1114,
    cells: hex(
      "0000000000000000",
      "7fffffffffffffff",
      "8000000000000000",
      "fd0f7cc1411fa000",
      "0002f5a6a6c7c4b1",
      "ffffffffffffffff",
      "001c9fff00000000",
      "ffe3600000000000",
      "7ffca2fec4c81ffe",
    ),
  },
  uuid: {
    oid: 2950,
    cells: hex(
      "00000000000000000000000000000000",
      "ffffffffffffffffffffffffffffffff",
      "0123456789abcdeffedcba9876543210",
    ),
  },
  text: {
    oid: 25,
    cells: texts(
      "",
      "a",
      "abc",
      "abcd",
      "é",
      "ééé",
      "twelve bytes",
      "thirteen byte",
      "ü".repeat(32),
      "x".repeat(64),
      "x".repeat(65),
      "😀".repeat(300),
    ),
  },
  bytea: { oid: 17, cells: hex("", "00", "80ff00ff", "80ff00ff80ff00ff80ff00ff80ff00ff") },
  jsonb: { oid: 3802, cells: texts("\u0001null", '\u0001{"a": [1, "ü", "and more"]}') },
  "list of odd8": {
    oid: 1022,
    elementOid: 701,
    cells: hex(
      "00000001 00000000 000002bd 00000002 00000001 00000008 8000000000000000 00000008 7ff8000000000000",
      "00000001 00000000 000002bd 00000001 00000001 00000008 3ff0000000000000",
    ),
  },
  list: {
    oid: 1007,
    elementOid: 23,
    cells: hex(
      "00000000 00000000 00000017",
      "00000001 00000001 00000017 00000003 00000001 00000004 00000007 ffffffff 00000004 ffffffff",
    ),
  },
};

const columns = Object.entries(CELLS).map(([name, { oid, typmod = -1, elementOid = 0 }], i) => {
  const column = planColumn({ name, type: name, oid, typmod, elementOid, dimensions: 0, notNull: false }, name);
  return { ...column, lake: { ...column.lake, id: i * 2 + 1 } };
});
const table = textTable(columns);

/** Each column goes round its cells and a NULL at a pace of its own. */
function* bodies(rows: number): Generator<Buffer> {
  yield HEADER;
  for (let row = 0; row < rows; row++)
    yield bodyOf(Object.values(CELLS).map(({ cells }) => [...cells, null][row % (cells.length + 1)]!));
  yield Buffer.from("ffff", "hex");
}

function bodyOf(cells: Cell[]): Buffer {
  const head = Buffer.alloc(2);
  head.writeInt16BE(cells.length);
  return Buffer.concat([head, ...cells.flatMap((cell) => [lengthOf(cell?.length ?? -1), cell ?? Buffer.alloc(0)])]);
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(length);
  return bytes;
}

/**
 * Rows as they lie in a receive buffer, one message after another. `isBatched`: as many at once as the decoder takes.
 */
const snapshotOf = (
  messages: Buffer,
  isBatched: boolean,
  decoded?: (decoder: PostgresDecoder, batched: number) => void,
): ReadableSnapshot => ({
  consistency: "",
  readersMax: 1,
  describe: () => Promise.reject(new Error("it is known already")),
  async read({ columns, emptyColumns, take }) {
    const builder = new ChunkBuilder(emptyColumns, (chunk) => take(chunk, decoder.oddFloats));
    const decoder = new PostgresDecoder(
      columns,
      builder,
      columns.map(() => 0),
    );
    let batched = 0;
    for (let at = 0; at < messages.length; ) {
      const next = isBatched ? decoder.takeBatch(messages, at, messages.length) : at;
      batched += next - at;
      at = next;
      if (at === messages.length) break;
      const end = at + 1 + messages.readInt32BE(at + 1);
      await decoder.take(messages, at + 5, end);
      at = end;
    }
    await builder.flush();
    decoded?.(decoder, batched);
    return { rows: builder.rowsTotal, bytes: builder.bytesTotal, notes: [] };
  },
  close: () => Promise.resolve(),
});

let bench: ExtractionBench;
beforeAll(async () => {
  bench = await ExtractionBench.open();
});
afterAll(() => bench?.close());

describe("rows taken in batches", () => {
  it("are those that are taken one by one, of every type, NULL and rare values among them", async () => {
    const rows = 5_000;
    const messages = Buffer.concat([...bodies(rows)].map((body) => message("d", body)));
    const odd: number[][] = [];
    const read = (target: string, isBatched: boolean) =>
      extractInto(target, {
        snapshot: snapshotOf(messages, isBatched, ({ oddFloats }, batched) => {
          odd.push(oddFloats);
          expect(batched > messages.length * 0.99).toBe(isBatched);
        }),
        table,
        staging: bench.staging,
        signal: never(),
      });
    const [each, batched] = [await read("each", false), await read("batched", true)];
    expect(batched).toEqual(each);
    expect(each.rows).toBe(rows);
    expect(odd[1]).toEqual(odd[0]);
    expect(odd[1]!.filter((one) => one === (ODD_FLOAT.nan | ODD_FLOAT.negativeZero))).toHaveLength(3);
    const connection = await bench.staging.connect();
    const count = async (sql: string) =>
      Number((await connection.runAndReadAll(`SELECT count(*) FROM (${sql})`)).getRows()[0]![0]);
    expect(await count("FROM each")).toBe(rows);
    expect(await count("FROM each EXCEPT ALL FROM batched")).toBe(0);
    expect(await count("FROM batched EXCEPT ALL FROM each")).toBe(0);
    const signs = await connection.runAndReadAll(
      "SELECT (SELECT count(*) FROM each WHERE signbit(odd8)), (SELECT count(*) FROM batched WHERE signbit(odd8))",
    );
    expect(signs.getRows()[0]![0]).toBe(signs.getRows()[0]![1]);
    connection.closeSync();
  });

  it("end before a message that is not plainly right, which is then refused by itself", () => {
    const good = bodyOf(columns.map(() => null));
    const wrong: Record<string, Buffer> = {
      "a cell longer than its row": Buffer.concat([good.subarray(0, -4), lengthOf(1)]),
      "a negative length": Buffer.concat([good.subarray(0, -4), lengthOf(-2)]),
      "a length beyond all numbers": Buffer.concat([good.subarray(0, -4), lengthOf(0x7fff_ffff)]),
      "a row cut off": good.subarray(0, -2),
      "bytes after its cells": Buffer.concat([good, Buffer.alloc(4)]),
      "another number of cells": bodyOf(columns.slice(1).map(() => null)),
    };
    for (const [what, body] of Object.entries(wrong)) {
      const decoder = decoderOf();
      const messages = Buffer.concat([good, good, body, good].map((each) => message("d", each)));
      const before = message("d", good).length * 2;
      expect(decoder.takeBatch(messages, 0, messages.length), what).toBe(before);
      expect(() => void decoder.take(messages, before + 5, before + 5 + body.length), what).toThrow(
        /protocol|row|cell/,
      );
    }
  });

  it("end before what has not come whole, another message, and the trailer", () => {
    const good = message("d", bodyOf(columns.map(() => null)));
    for (const next of [
      good.subarray(0, -1),
      good.subarray(0, 6),
      Buffer.from("d"),
      message("c"),
      message("d", Buffer.from("ffff", "hex")),
      message("d", Buffer.alloc(0)),
    ]) {
      const messages = Buffer.concat([good, good, next]);
      expect(decoderOf().takeBatch(messages, 0, messages.length)).toBe(good.length * 2);
    }
    // Bytes behind those that have come are none of the row's.
    expect(decoderOf().takeBatch(Buffer.concat([good, good]), 0, good.length * 2 - 1)).toBe(good.length);
  });

  it("hold no value of another length than its type's", () => {
    for (const [i, { name }] of columns.entries()) {
      if (["text", "bytea"].includes(name)) continue;
      const body = bodyOf(columns.map((_, at) => (at === i ? Buffer.alloc(3) : null)));
      const messages = message("d", body);
      expect(() => decoderOf().takeBatch(messages, 0, messages.length), name).toThrow(/form of its type/);
    }
  });
});

/** A decoder that has seen the header. */
function decoderOf(): PostgresDecoder {
  const builder = new ChunkBuilder(
    () => makeColumns(columns),
    () => undefined,
  );
  const decoder = new PostgresDecoder(
    columns,
    builder,
    columns.map(() => 0),
  );
  void decoder.take(HEADER, 0, HEADER.length);
  return decoder;
}
