// A SQL Server's true answers, spoilt in a thousand ways on their way: each ends in rows or in a failure in words,
// never in a hang, in memory without bound, or in a fault of the engine's own.

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { randomOf, type Random } from "../../../support/node/sources/mutations.ts";
import { FakeSqlServer } from "../../../support/node/sources/sqlserver/fake-sqlserver.ts";
import { readRows } from "../../../support/node/sources/sqlserver/read-rows.ts";
import { until } from "../../../support/node/sources/sqlserver/until.ts";

const RUNS = 1_000;
const AT_ONCE = 8;
/** What a statement may take whose answer was cut: then the server waits for us, and we for it. */
const DEADLINE_MS = 500;
const HANG_MS = 10_000;
const ROWS = 40;
/** An answer to a login has fewer bytes than this. */
const MOST_BYTES = 12_000;

let server: FakeSqlServer;
let proxy: Server;
let spoil: (sent: number, chunk: Buffer) => Buffer = (_, chunk) => chunk;
beforeAll(async () => {
  server = await FakeSqlServer.start();
  const types = ["int", "bigint", "decimal(38,9)", "money", "float", "bit", "date", "time(7)", "datetime2(7)"];
  const others = [
    "datetime",
    "datetimeoffset(7)",
    "uniqueidentifier",
    "nvarchar(50)",
    "varchar(max)",
    "varbinary(max)",
  ];
  const all = [...types, ...others, "sql_variant", "xml", "ntext", "hierarchyid"];
  const time = "2026-01-31T10:00:00.5";
  const cells = [1, 2n ** 40n, "-1.5", "2.25", 0.1, true, "2026-01-31", "10:00:00.5", time, time, `${time}+02:00`];
  const more = [
    "6f9619ff-8b86-d011-b42d-00c04fc964ff",
    "é",
    "x".repeat(300),
    Buffer.alloc(99, 1),
    "v",
    "<a/>",
    "n",
    "h",
  ];
  server.answers.push({
    when: /everything/,
    columns: all.map((type, i) => ({ name: `c${i}`, type })),
    batches: () => [
      Array.from({ length: ROWS }, (_, i) => [...cells, ...more].map((cell, j) => ((i + j) % 5 ? cell : null))),
    ],
  });
  proxy = createServer((socket) => {
    const upstream = connect(server.port, "127.0.0.1");
    let sent = 0;
    const spoilt = spoil;
    upstream.on("data", (chunk: Buffer) => {
      const at = sent;
      sent += chunk.length;
      socket.write(spoilt(at, chunk));
    });
    socket.on("data", (chunk: Buffer) => upstream.write(chunk));
    socket.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
    upstream.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
afterAll(async () => {
  proxy.close();
  await server.close();
});

/** Changes some bytes of what is sent on one connection, leaves some out, or puts some in. */
function spoiler(random: Random): (sent: number, chunk: Buffer) => Buffer {
  const place = (bound: number) => Math.floor(random() * bound);
  const faults = Array.from({ length: 1 + place(3) }, () => ({
    at: place(MOST_BYTES),
    kind: place(4),
    byte: [0, 0xff, 0x7f, 0x80, place(256)][place(5)]!,
    count: 1 + place(20),
  }));
  return (sent, chunk) => {
    let spoilt = Buffer.from(chunk);
    for (const { at, kind, byte, count } of faults) {
      const from = at - sent;
      if (from < 0 || from >= spoilt.length) continue;
      if (kind < 2) spoilt[from] = byte;
      else if (kind === 2) spoilt = Buffer.concat([spoilt.subarray(0, from), spoilt.subarray(from + count)]);
      else spoilt = Buffer.concat([spoilt.subarray(0, from), Buffer.alloc(count, byte), spoilt.subarray(from)]);
    }
    return spoilt;
  };
}

it("ends in rows or in a failure, whatever bytes are spoilt", { timeout: 300_000 }, async () => {
  const memory = process.memoryUsage().rss;
  const ended = { rows: 0, failures: 0 };
  const strange: unknown[] = [];
  const source = server.source({ port: String((proxy.address() as AddressInfo).port) });
  const runOne = async (seed: number) => {
    spoil = spoiler(randomOf(seed));
    const startedAt = Date.now();
    const deadline = new Error("the deadline");
    const caller = new AbortController();
    const timer = setTimeout(() => caller.abort(deadline), DEADLINE_MS);
    try {
      await readRows(server, "SELECT * FROM dbo.everything", { source, signal: caller.signal });
      ended.rows++;
    } catch (error) {
      if (!(error instanceof Failure) && error !== deadline) strange.push({ seed, error });
      else ended.failures++;
    }
    clearTimeout(timer);
    if (Date.now() - startedAt > HANG_MS) strange.push({ seed, took: Date.now() - startedAt });
  };
  for (let from = 0; from < RUNS; from += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => runOne(from + i)));
  expect(strange).toEqual([]);
  // Both happen: a spoilt byte of a value is a value, one of a length is none.
  expect(ended.failures).toBeGreaterThan(RUNS / 4);
  expect(ended.rows).toBeGreaterThan(0);
  expect(process.memoryUsage().rss - memory).toBeLessThan(600 * 1024 * 1024);
  await until(() => server.openSockets === 0);
});
