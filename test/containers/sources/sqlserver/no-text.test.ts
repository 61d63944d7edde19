// What a SQL Server keeps as text and is none: no answer and no table of the lake has another text in its place.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FORMATS, type Format } from "../../../../kernel/wire/engine-program.ts";
import { aStatement, startEngine, type Engine } from "../../../support/node/programs/engine.ts";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { LATIN1_COLLATION, type FakeColumn } from "../../../support/node/sources/sqlserver/tds/column-types.ts";
import type { FakeValue } from "../../../support/node/sources/sqlserver/tds/values.ts";
import { SyncBench } from "../../../support/node/sync/test-sync.ts";

const ID: FakeColumn = { name: "id", type: "bigint" };
const SQL = "SELECT id, note FROM orders AS source_row";

let server: FakeSqlServer;
let engine: Engine;
let bench: SyncBench;
beforeAll(async () => {
  server = await FakeSqlServer.start();
  await server.tables.create({
    name: "orders",
    primaryKey: ["id"],
    columns: [
      { name: "id", type: "bigint", nullable: false },
      { name: "note", type: "nvarchar(50)" },
    ],
  });
  engine = await startEngine({ hostsAllowed: "loopback" });
  bench = await SyncBench.open(server.source(), 10);
});
afterAll(async () => {
  await bench?.close();
  await engine?.stop();
  await server?.close();
});

/** Statements on the table find one row with this text. */
function send(note: Omit<FakeColumn, "name">, value: FakeValue): void {
  server.answers.length = 0;
  server.answers.push({
    when: /AS source_row/,
    columns: [ID, { name: "note", ...note }],
    batches: () => [[[1, value]]],
  });
}

async function query(format: Format): Promise<{ status: number; text: string }> {
  const target = { kind: "source", access: "everything", source: server.source() } as const;
  const response = await engine.call("POST", "/statements", aStatement({ sql: SQL, target, format }));
  return { status: response.status, text: await response.text() };
}

/** The collation of a language, in the code page that Windows has for it. */
const collation = (lcid: number): Buffer => Buffer.from([lcid & 0xff, lcid >> 8, 0xd0, 0x00, 0x00]);
const variant = (bytes: number[]): Buffer =>
  Buffer.concat([Buffer.from([0xa7, 7]), collation(0x0408), Buffer.from([9, 0, ...bytes])]);

describe.each<[what: string, column: Omit<FakeColumn, "name">, value: FakeValue, said: RegExp]>([
  ["half a character of UTF-16", { type: "nvarchar(9)" }, "a\ud800b", /not UTF-8/],
  ["the other half, alone", { type: "nvarchar(max)" }, "\udc00", /not UTF-8/],
  ["a byte that Greek has no letter for", greek("varchar(9)"), Buffer.from([0x41, 0xaa]), /CP1253.*without loss/],
  ["half a Japanese character", { type: "varchar(9)", collation: collation(0x0411) }, Buffer.from([0x8a]), /CP932/],
  ["a Korean one that is none", { type: "char(1)", collation: collation(0x0412) }, Buffer.from([0xc9]), /CP949/],
  ["a variant's text that is none", { type: "sql_variant" }, variant([0xaa]), /Column note.*CP1253/],
])("%s", (_, column, value, said) => {
  it.each(FORMATS)("ends a query as %s in words", async (format) => {
    send(column, value);
    const { status, text } = await query(format);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(said) });
    expect(text).not.toContain("\ufffd");
  });

  it("ends a sync in words, and commits nothing", async () => {
    send(column, value);
    const { error } = await bench.run({ tables: ["dbo.orders"] });
    expect(error).toMatch(said);
    expect(error).toContain("Column note");
    await expect(bench.texts("SELECT note FROM orders")).rejects.toThrow(/orders/);
  });
});

function greek(type: string): Omit<FakeColumn, "name"> {
  return { type, collation: collation(0x0408) };
}

it("lets bytes through that the code page has", async () => {
  send({ type: "varchar(9)", collation: LATIN1_COLLATION }, Buffer.from([0x80, 0xe9]));
  expect((await query("csv")).text).toContain("€é");
  send(greek("varchar(9)"), Buffer.from([0xe1]));
  expect((await query("csv")).text).toContain("α");
  expect(server.failures).toEqual([]);
});
