// SQL Servers that break off, stall, lie and send too much: each ends in a failure in words and in bounded time, and no
// row is lost, doubled or changed in silence.

import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { sqlserver } from "../../../../containers/engine/sources/sqlserver/connector.ts";
import type { AnswerFault } from "../../../support/node/sources/sqlserver/faults.ts";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { readRows, textsOf, type Read } from "../../../support/node/sources/sqlserver/read-rows.ts";
import { done } from "../../../support/node/sources/sqlserver/tds/tokens.ts";
import { packet } from "../../../support/node/sources/sqlserver/tds/packets.ts";
import { until } from "../../../support/node/sources/sqlserver/until.ts";

const ROWS = 500;
const MIB = 1024 * 1024;
const NUMBERS = "SELECT id, name FROM dbo.numbers";

let server: FakeSqlServer;
beforeAll(async () => {
  server = await FakeSqlServer.start();
  const columns = [
    { name: "id", type: "int", nullable: false },
    { name: "name", type: "nvarchar(max)" },
  ];
  await server.tables.create({ name: "numbers", columns, primaryKey: ["id"] });
  await server.tables.insert(
    { name: "numbers" },
    Array.from({ length: ROWS }, (_, i) => [i, `number ${i} ${"x".repeat(i % 50)}`]),
  );
});
afterEach(async () => {
  server.answerFault = undefined;
  server.answers.length = 0;
  await until(() => server.openSockets === 0);
  expect(server.failures).toEqual([]);
});
afterAll(() => server.close());

async function failureOf(fault: AnswerFault, sql = NUMBERS): Promise<Failure> {
  server.answerFault = { when: /FROM dbo\./, ...fault };
  const startedAt = Date.now();
  const error = await readRows(server, sql).then(
    (read) => read,
    (reason: unknown) => reason,
  );
  expect(Date.now() - startedAt).toBeLessThan(10_000);
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}

it("reads all rows from a server that does nothing wrong", async () => {
  const { rows } = await readRows(server, NUMBERS);
  expect(rows).toHaveLength(ROWS);
  expect(new Set(rows.map(([id]) => id)).size).toBe(ROWS);
});

describe("a result is refused", () => {
  const bigChunk = Buffer.concat([
    Buffer.from([0xd1, 4, 1, 0, 0, 0]),
    Buffer.from("feffffffffffffff", "hex"),
    Buffer.from("ffffff7f", "hex"),
  ]);
  const bigTotal = Buffer.concat([Buffer.from([0xd1, 4, 1, 0, 0, 0]), Buffer.from("0000000001000000", "hex")]);
  const long = Buffer.concat([
    Buffer.from([0xd1, 4, 1, 0, 0, 0]),
    Buffer.from("0200000000000000", "hex"),
    Buffer.from("040000006100610000000000", "hex"),
  ]);
  const short = Buffer.concat([
    Buffer.from([0xd1, 4, 1, 0, 0, 0]),
    Buffer.from("0800000000000000", "hex"),
    Buffer.from("040000006100610000000000", "hex"),
  ]);
  it.each([
    ["that is closed in its middle", { kind: "close", afterRows: 100 }, /closed the connection/],
    ["that is reset in its middle", { kind: "reset", afterRows: 100 }, /closed the connection/],
    ["of which a row is missing", { kind: "drop", row: 100 }, /counts 500 rows and sent 499/],
    ["that has rows twice", { kind: "repeat", fromRow: 498 }, /counts 500 rows and sent 502/],
    [
      "that ends in an error",
      { kind: "error", afterRows: 100, error: { number: 8134, message: "Divide by zero error encountered." } },
      /^Divide by zero error encountered. \(error 8134, state 1, line 1\)$/,
    ],
    ["without the server's word that it is whole", { kind: "no done" }, /ends before it does/],
    ["with another result behind it", { kind: "second result" }, /more than one result/],
    [
      "that has a part of an unknown kind",
      { kind: "bytes", afterRows: 3, bytes: Buffer.from([0x99]) },
      /can't be \(0x99\)/,
    ],
    [
      "with a value longer than its column",
      { kind: "bytes", afterRows: 3, bytes: Buffer.from([0xd1, 200]) },
      /longer than its column/,
    ],
    [
      "with a value of a length that its type has not",
      { kind: "bytes", afterRows: 3, bytes: Buffer.from([0xd1, 3, 1, 1, 1, 255, 255, 255, 255, 255, 255, 255, 255]) },
      /length that its type has not/,
    ],
    [
      "with a piece of two gigabytes announced",
      { kind: "bytes", afterRows: 3, bytes: bigChunk },
      /larger than 256 MiB/,
    ],
    [
      "with a value of four gigabytes announced",
      { kind: "bytes", afterRows: 3, bytes: bigTotal },
      /larger than 256 MiB/,
    ],
    [
      "with a value longer than was said",
      { kind: "bytes", afterRows: 3, bytes: long },
      /longer than it was said to be/,
    ],
    [
      "with a value shorter than was said",
      { kind: "bytes", afterRows: 3, bytes: short },
      /shorter than it was said to be/,
    ],
    ["that says it was stopped, unasked", { kind: "bytes", afterRows: 3, bytes: done(0x20) }, /unasked/],
    ["that has a row behind its end", { kind: "bytes", afterRows: 3, bytes: done(0x10, 3n) }, /goes on after its end/],
    ["that fails without an error", { kind: "bytes", afterRows: 3, bytes: done(0x02) }, /failed without an error/],
    [
      "that sends us elsewhere",
      { kind: "bytes", afterRows: 3, bytes: Buffer.from([0xe3, 1, 0, 20]) },
      /elsewhere after the login/,
    ],
    ["whose bytes are cut", { kind: "cut", afterRows: 100, bytes: 5 }, /protocol/],
  ] as [string, AnswerFault, RegExp][])("%s", async (_name, fault, words) => {
    const memory = process.memoryUsage().rss;
    expect((await failureOf(fault)).message).toMatch(words);
    expect(process.memoryUsage().rss - memory).toBeLessThan(300 * MIB);
  });

  it("that goes on after its end: of it nothing is believed but what came before", async () => {
    server.answerFault = { when: /FROM dbo\./, kind: "more", bytes: packet(done(0x10, 1n)) };
    expect((await readRows(server, NUMBERS)).rows).toHaveLength(ROWS);
  });
});

/** Rows of `bytes` each, without end. */
function endlessRows(text: string): void {
  const row = Buffer.concat([
    Buffer.from([0xd1, (text.length * 2) & 0xff, (text.length * 2) >> 8]),
    Buffer.from(text, "utf16le"),
  ]);
  const page = Buffer.concat(Array.from({ length: 1_000 }, () => row));
  server.answers.push({
    when: /endless/,
    columns: [{ name: "t", type: "nvarchar(100)" }],
    *batches() {
      for (;;) yield { page, rows: 1_000 };
    },
  });
}

describe("a statement that nobody waits for any more", () => {
  it("is stopped at the server when its signal aborts in the middle of the rows", async () => {
    endlessRows("abc");
    const attentions = server.attentions;
    const caller = new AbortController();
    let rows = 0;
    const read = sqlserver.query(
      { source: server.source(), sql: "SELECT t FROM dbo.endless", access: "everything", signal: caller.signal },
      (result) =>
        result.rows(() => {
          if (++rows === 5_000) caller.abort(new Error("enough"));
          return true;
        }),
    );
    await expect(read).rejects.toThrow("enough");
    expect(server.attentions).toBe(attentions + 1);
  });

  it("is stopped at the server when its taker has had enough", async () => {
    endlessRows("abc");
    const attentions = server.attentions;
    let rows = 0;
    await sqlserver.query(
      {
        source: server.source(),
        sql: "SELECT t FROM dbo.endless",
        access: "everything",
        signal: AbortSignal.timeout(20_000),
      },
      (result) => result.rows(() => ++rows < 5_000),
    );
    expect(rows).toBe(5_000);
    expect(server.attentions).toBe(attentions + 1);
  });

  it("is stopped at the server when its taker throws", async () => {
    endlessRows("abc");
    const attentions = server.attentions;
    const read = sqlserver.query(
      {
        source: server.source(),
        sql: "SELECT t FROM dbo.endless",
        access: "everything",
        signal: AbortSignal.timeout(20_000),
      },
      (result) =>
        result.rows(() => {
          throw new Error("disk full");
        }),
    );
    await expect(read).rejects.toThrow("disk full");
    expect(server.attentions).toBe(attentions + 1);
  });

  it("is stopped at the server when its rows are never asked for", async () => {
    endlessRows("abc");
    const attentions = server.attentions;
    const columns = await sqlserver.query(
      {
        source: server.source(),
        sql: "SELECT t FROM dbo.endless",
        access: "everything",
        signal: AbortSignal.timeout(20_000),
      },
      async (result) => result.columns,
    );
    expect(columns).toHaveLength(1);
    expect(server.attentions).toBe(attentions + 1);
  });

  it.each(["stall", "deaf"] as const)("ends in bounded time at a server that goes %s", async (kind) => {
    endlessRows("abc");
    server.answerFault = kind === "stall" ? { kind, when: /numbers/, afterRows: 10 } : { kind };
    const caller = new AbortController();
    setTimeout(() => caller.abort(new Error("too late")), 300);
    const startedAt = Date.now();
    const read = readRows(server, kind === "stall" ? NUMBERS : "SELECT t FROM dbo.endless", { signal: caller.signal });
    await expect(read).rejects.toThrow("too late");
    expect(Date.now() - startedAt).toBeLessThan(8_000);
  });
});

it("waits for a taker that takes its time, with the server held back and memory bounded", async () => {
  let pages = 0;
  const row = Buffer.concat([Buffer.from([0xd1, 0xd0, 0x07]), Buffer.alloc(2_000, 0x61)]);
  const page = Buffer.concat(Array.from({ length: 500 }, () => row));
  server.answers.push({
    when: /slow/,
    columns: [{ name: "t", type: "varchar(2000)" }],
    *batches() {
      for (; pages < 200; pages++) yield { page, rows: 500 };
    },
  });
  const memory = process.memoryUsage().rss;
  let rows = 0;
  const lengths = new Set<number>();
  let pagesAhead = 0;
  let memoryMax = 0;
  await sqlserver.query(
    {
      source: server.source(),
      sql: "SELECT t FROM dbo.slow",
      access: "everything",
      signal: AbortSignal.timeout(60_000),
    },
    (result) =>
      result.rows((taken) => {
        lengths.add(textsOf(taken)[0]!.length);
        if (++rows % 500 !== 0) return true;
        pagesAhead = Math.max(pagesAhead, pages - rows / 500);
        memoryMax = Math.max(memoryMax, process.memoryUsage.rss() - memory);
        return new Promise((resolve) => setTimeout(resolve, 1, true));
      }),
  );
  expect(rows).toBe(100_000);
  expect([...lengths]).toEqual([2_000]);
  expect(pagesAhead).toBeLessThan(20);
  expect(memoryMax).toBeLessThan(250 * MIB);
});

it("reads values of many megabytes, cut into pieces, beside small ones", async () => {
  const sizes = [0, 1, 8_039, 8_040, 8_041, 20 * MIB, 3, 5 * MIB, 2];
  server.answers.push({
    when: /large/,
    columns: [
      { name: "b", type: "varbinary(max)" },
      { name: "n", type: "int" },
    ],
    batches: () => [sizes.map((size, i) => [Buffer.alloc(size, i), i])],
  });
  const { rows }: Read = await readRows(server, "SELECT * FROM dbo.large");
  expect(
    rows.map(([bytes, n]) => [Buffer.from(bytes!, "base64").equals(Buffer.alloc(sizes[Number(n)]!, Number(n))), n]),
  ).toEqual(sizes.map((_, i) => [true, String(i)]));
});

it("runs statement after statement in a transaction that the server numbers", async () => {
  await server.tables.allowSnapshots(false);
  server.statements.length = 0;
  expect((await readRows(server, "SELECT TOP (1) id FROM dbo.numbers ORDER BY id")).rows).toEqual([["0"]]);
  expect(server.statements.filter((sql) => /ISOLATION/.test(sql) && !/^set ansi/.test(sql))).toEqual([
    "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN TRANSACTION;",
  ]);
  await server.tables.allowSnapshots(true);
});

it("binds values by their types, whatever their texts say", async () => {
  const values = ["'; DROP TABLE dbo.numbers --", 7, -0.5, true, null, 2 ** 40, "é".repeat(5_000), ""];
  const list = values.map((_, i) => `@p${i + 1} AS v${i}`).join(", ");
  const { rows } = await readRows(server, `SELECT ${list}`, { values });
  expect(rows).toEqual([
    ["'; DROP TABLE dbo.numbers --", "7", "-0.5", "true", null, String(2 ** 40), "é".repeat(5_000), ""],
  ]);
});

describe("through TLS", () => {
  let secure: FakeSqlServer;
  beforeAll(async () => {
    const file = (name: string) =>
      readFileSync(new URL(`../../../support/node/servers/tls/${name}`, import.meta.url), "utf8");
    secure = await FakeSqlServer.start({ tls: { key: file("server.key"), cert: file("server.crt") } });
    secure.answers.push({
      when: /FROM dbo/,
      columns: [{ name: "t", type: "varchar(max)" }],
      batches: () => [Array.from({ length: 2_000 }, (_, i) => [String(i).repeat(1_000)])],
    });
  });
  afterEach(() => until(() => secure.openSockets === 0));
  afterAll(() => secure.close());

  it("a result comes whole, under the name of its statement", async () => {
    const { rows } = await readRows(secure, "SELECT t FROM dbo.large", { id: "statement-1" });
    expect(rows.map(([text]) => text)).toEqual(Array.from({ length: 2_000 }, (_, i) => String(i).repeat(1_000)));
    expect(secure.logins.at(-1)).toMatchObject({ app: "fjord statement-1" });
  });

  it.each([
    ["is closed", { kind: "close", afterRows: 900 }, /closed the connection/],
    ["is reset", { kind: "reset", afterRows: 900 }, /closed the connection/],
    [
      "fails",
      { kind: "error", afterRows: 900, error: { number: 1205, message: "Deadlock.", severity: 13 } },
      /Deadlock. \(error 1205.*Try again later/,
    ],
  ] as [string, AnswerFault, RegExp][])("a result that %s in its middle is a failure", async (_name, fault, words) => {
    secure.answerFault = { when: /FROM dbo/, ...fault };
    await expect(readRows(secure, "SELECT t FROM dbo.large")).rejects.toThrow(words);
    secure.answerFault = undefined;
  });

  it("a statement is stopped at the server when its taker has had enough", async () => {
    const attentions = secure.attentions;
    await sqlserver.query(
      {
        source: secure.source(),
        sql: "SELECT t FROM dbo.large",
        access: "everything",
        signal: AbortSignal.timeout(20_000),
      },
      (result) => result.rows(() => false),
    );
    expect(secure.attentions).toBe(attentions + 1);
    expect(secure.failures).toEqual([]);
  });
});
