// The known tricks of a hostile database, played on a running engine: each ends in a clear 4xx, and the engine takes
// the next statement.

import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { StatementRequest } from "../../../kernel/wire/engine.ts";
import type { Source } from "../../../kernel/wire/source.ts";
import { message } from "../../../containers/engine/sources/postgres/connection/wire.ts";
import { aStatement, startEngine, type Engine } from "../../support/node/programs/engine.ts";
import { recordedMysql } from "../../support/node/sources/recorded-mysql.ts";
import { recordedPostgres } from "../../support/node/sources/recorded-postgres.ts";
import { listen, type Protocol, type Recording, type Spoilt } from "../../support/node/sources/recorded-servers.ts";
import { mariadbSource, ownPostgres, postgresSource } from "../../support/node/sources/sources.ts";
import type { Server } from "../../support/node/servers/server.ts";

const MIB = 1024 * 1024;
/** Nobody waits for these: what ends by them hung. */
const DEADLINE_MS = 60_000;
/** In which a silent server is given up. */
const SILENCE_MS = 1_500;
const SQL = "SELECT 'a text' AS t, 1 AS n";

const kinds: Record<"postgres" | "mysql", { protocol: Protocol; server: Server; source(port: number): Source }> = {
  postgres: {
    protocol: recordedPostgres,
    server: ownPostgres(),
    source: (port) => postgresSource({ ...ownPostgres(), port }, { host: "127.0.0.1" }),
  },
  mysql: {
    protocol: recordedMysql,
    server: inject("mariadb"),
    source: (port) => mariadbSource({ ...inject("mariadb"), port }, "mysql"),
  },
};
type Kind = keyof typeof kinds;

let engine: Engine;
const RECORDINGS = {} as Record<Kind, { query: Recording; test: Recording }>;
const statement = (source: Source, more: Partial<StatementRequest> = {}) =>
  aStatement({ sql: SQL, target: { kind: "source", access: "everything", source }, deadlineMs: DEADLINE_MS, ...more });
const post = async (path: string, body: unknown): Promise<{ status: number; text: string }> => {
  const response = await engine.call("POST", path, body, AbortSignal.timeout(DEADLINE_MS + 10_000));
  return { status: response.status, text: await response.text() };
};

beforeAll(async () => {
  engine = await startEngine({ hostsAllowed: "loopback" });
  for (const kind of ["postgres", "mysql"] as const) {
    const { protocol, server, source } = kinds[kind];
    const query = await protocol.record(server, (port) => post("/statements", statement(source(port))));
    const test = await protocol.record(server, (port) =>
      post("/connections/test", { source: source(port), deadlineMs: DEADLINE_MS }),
    );
    RECORDINGS[kind] = { query, test };
  }
});
afterAll(() => engine?.stop());

/** What the engine answers where the server says something else than it did. */
async function answerOf(
  kind: Kind,
  spoilt: Omit<Spoilt, "connection">,
  body: (source: Source) => Promise<{ status: number; text: string }>,
  recording = RECORDINGS[kind].query,
) {
  const server = await kinds[kind].protocol.play(recording, { connection: 0, ...spoilt });
  try {
    return await body(kinds[kind].source(server.port));
  } finally {
    server.close();
    // Statements that ended are not kept, and the engine is there.
    await expect
      .poll(async () => (await (await engine.call("GET", "/status")).json()) as unknown, {
        timeout: 20_000,
        interval: 20,
      })
      .toMatchObject({ statements: 0 });
  }
}

const query = (source: Source) => post("/statements", statement(source));

const int = (bytes: number, value: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
};
const row = (count: number, ...cells: [length: number, text: string][]) =>
  message(
    "D",
    Buffer.concat([int(2, count), ...cells.flatMap(([length, text]) => [int(4, length), Buffer.from(text, "latin1")])]),
  );
const good = row(2, [6, "a text"], [1, "1"]);
const ready = message("Z", Buffer.from("T"));
const complete = message("C", "SELECT 1");
const headOf = (type: string, length: number) => Buffer.concat([Buffer.from(type), int(4, length | 0)]);
const letIn = message("R", int(4, 0));
const request = (kind: number, ...more: (string | Buffer)[]) => message("R", int(4, kind), ...more);

/** Where in a recorded query PostgreSQL says what. */
const LOGIN = 0,
  OPENED = 1,
  DESCRIBED = 2,
  ROWS = 3;

describe("a PostgreSQL server", () => {
  it.each<[what: string, answer: number, bytes: Buffer, reported: RegExp]>([
    ["whose error has no end", LOGIN, message("E", Buffer.from("Sno end")), /refused|answer/],
    ["whose error says nothing", LOGIN, message("E", Buffer.alloc(1)), /answer/],
    ["that wants a login of an unknown kind", LOGIN, request(99), /by password/],
    ["whose list of mechanisms has no end", LOGIN, request(10, Buffer.from("SCRAM-SHA-256")), /no end/],
    ["that goes on with a proof nobody began", LOGIN, request(11, Buffer.from("r=x,s=x,i=1")), /does not answer/],
    ["that is ready before it let anyone in", LOGIN, ready, /ready before/],
    ["whose login has a message of four gigabytes", LOGIN, headOf("S", -5), /length/],
    ["whose login has a message shorter than its head", LOGIN, headOf("S", 0), /length/],
    ["whose login has rows", LOGIN, Buffer.concat([letIn, good]), /none of a login/],
    [
      "whose column count is not its columns'",
      DESCRIBED,
      Buffer.concat([message("T", int(2, -1)), ready]),
      /before its columns|no end/,
    ],
    [
      "that describes a statement twice",
      DESCRIBED,
      Buffer.concat([message("T", int(2, 0)), message("T", int(2, 0)), ready]),
      /twice/,
    ],
    ["that asks us for rows", OPENED, message("G", Buffer.alloc(3)), /answers nothing/],
    [
      "whose cell claims 250,000 bytes",
      ROWS,
      Buffer.concat([row(2, [250_000, "a text"], [1, "1"]), complete, ready]),
      /longer than its row/,
    ],
    [
      "whose cell claims two gigabytes",
      ROWS,
      Buffer.concat([row(2, [0x7fff_fff0, "a text"], [1, "1"]), complete, ready]),
      /longer than its row/,
    ],
    [
      "whose cell has a length below none",
      ROWS,
      Buffer.concat([row(2, [-7, ""], [1, "1"]), complete, ready]),
      /longer than its row/,
    ],
    [
      "whose row has a cell more",
      ROWS,
      Buffer.concat([row(3, [6, "a text"], [1, "1"], [1, "1"]), complete, ready]),
      /another number of cells/,
    ],
    [
      "whose row has bytes behind its cells",
      ROWS,
      Buffer.concat([row(2, [6, "a text"], [1, "1"], [1, ""]), complete, ready]),
      /goes on after its cells/,
    ],
    ["whose row announces four gigabytes", ROWS, headOf("D", -1), /larger than 256 MiB/],
    ["whose message has no length", ROWS, headOf("D", 0), /length/],
    ["that ends a result twice", ROWS, Buffer.concat([good, complete, complete, ready]), /after its end/],
    ["that goes on after the end", ROWS, Buffer.concat([complete, good, ready]), /after its end/],
    ["that never ends a result", ROWS, Buffer.concat([good, ready]), /no end/],
    [
      "that goes on after an error",
      ROWS,
      Buffer.concat([message("E", Buffer.alloc(1)), good, ready]),
      /answered with an error/,
    ],
    ["whose text is not UTF-8", ROWS, Buffer.concat([row(2, [2, "\xc3("], [1, "1"]), complete, ready]), /UTF-8/],
    ["that sends what nobody knows", ROWS, Buffer.concat([good, message("y"), ready]), /answers nothing/],
  ])("%s", async (_what, answer, bytes, reported) => {
    const { status, text } = await answerOf("postgres", { answer, bytes: Buffer.concat([bytes]) }, query);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(reported) as string });
  });

  it.each<[what: string, answer: number, bytes: Buffer]>([
    ["proofs of a login", LOGIN, request(3)],
    ["parameters before it lets us in", LOGIN, message("S", "name", "v".repeat(1_000))],
    ["notices", ROWS, message("N", Buffer.from(`S${"n".repeat(60_000)}\0\0`))],
    ["one message", ROWS, Buffer.concat([headOf("T", 2_000_000_000), Buffer.alloc(60_000)])],
  ])("without end of %s", async (_what, answer, bytes) => {
    expect((await answerOf("postgres", { answer, bytes, repeats: true }, query)).status).toBe(400);
  });
});

const packet = (number: number, body: Buffer | string): Buffer => {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body, "latin1");
  const head = Buffer.alloc(4, number);
  head.writeUIntLE(bytes.length, 0, 3);
  return Buffer.concat([head, bytes]);
};
/** Where in a recorded query MySQL says what: three statements open the session. */
const GREETING = 0,
  AUTHENTICATED = 1,
  RESULT = 5;
const END = "\xfe\x00\x00\x02\x00";

describe("a MySQL server", () => {
  /** The recorded result's packets, of which some are others. */
  const resultWith = (change: (packets: Buffer[]) => Buffer[]): Buffer => {
    const packets = recordedMysql.framing.split(RECORDINGS.mysql.query[0]![RESULT]!).map(({ body }) => body);
    return Buffer.concat(change(packets).map((body, i) => packet(i + 1, body)));
  };
  const latin1 = (text: string) => Buffer.from(text, "latin1");

  it.each<[what: string, answer: number, bytes: () => Buffer, reported: RegExp]>([
    ["whose greeting is cut", GREETING, () => packet(0, "\x0a11.8.3\0abc"), /greets/],
    ["whose greeting is another protocol's", GREETING, () => packet(0, "\x09old\0"), /greets/],
    ["whose greeting has sixteen megabytes", GREETING, () => latin1("\xff\xff\xff\x00\x0a"), /length/],
    ["whose greeting is nothing", GREETING, () => packet(0, ""), /length/],
    ["whose greeting is an error cut short", GREETING, () => packet(0, "\xff"), /does not answer|closed|refused/],
    ["that wants the password in clear", AUTHENTICATED, () => packet(2, "\xfemysql_clear_password\0"), /password/],
    ["that wants a method nobody knows", AUTHENTICATED, () => packet(2, "\xfeconstructor\0x"), /not supported/],
    ["that asks for more of a method without one", AUTHENTICATED, () => packet(2, "\x01\x04"), /not supported/],
    ["whose login is out of order", AUTHENTICATED, () => packet(9, "\x00\x00\x00\x02\x00\x00\x00"), /out of order/],
    ["that wants a file of this machine", RESULT, () => packet(1, "\xfb/etc/passwd"), /file of this machine/],
    ["with 2^60 columns", RESULT, () => packet(1, "\xfe\0\0\0\0\0\0\0\x10"), /more columns/],
    ["with a count that ends before it does", RESULT, () => packet(1, "\xfe\0"), /ends before/],
    [
      "whose column has a name past its packet",
      RESULT,
      () => resultWith(([count]) => [count!, latin1("\x03def\xfd\xff\xff\xff")]),
      /longer than/,
    ],
    [
      "whose columns have no end packet behind them",
      RESULT,
      () => resultWith(([count, a, b]) => [count!, a!, b!, latin1("\x06a text\x011")]),
      /without end/,
    ],
    [
      "whose cell claims 250,000 bytes",
      RESULT,
      () => resultWith((all) => [...all.slice(0, 4), latin1("\xfd\x90\xd0\x03a text\x011"), latin1(END)]),
      /longer than/,
    ],
    [
      "whose cell claims 2^63 bytes",
      RESULT,
      () => resultWith((all) => [...all.slice(0, 4), latin1("\xfe\0\0\0\0\0\0\0\x80a text\x011"), latin1(END)]),
      /longer than/,
    ],
    [
      "whose row has a cell less",
      RESULT,
      () => resultWith((all) => [...all.slice(0, 4), latin1("\x06a text"), latin1(END)]),
      /fewer cells/,
    ],
    [
      "whose row has a cell more",
      RESULT,
      () => resultWith((all) => [...all.slice(0, 4), latin1("\x06a text\x011\x011"), latin1(END)]),
      /goes on after/,
    ],
    [
      "whose text is not UTF-8",
      RESULT,
      () => resultWith((all) => [...all.slice(0, 4), latin1("\x02\xc3(\x011"), latin1(END)]),
      /UTF-8/,
    ],
    [
      "whose packets are out of order",
      RESULT,
      () => Buffer.concat([RECORDINGS.mysql.query[0]![RESULT]!.subarray(0, 5), packet(7, "\x03def")]),
      /out of order/,
    ],
    [
      "with more than one result",
      RESULT,
      () => resultWith((all) => [...all.slice(0, 4), latin1("\xfe\x00\x00\x0a\x00")]),
      /more than one result/,
    ],
    [
      "that goes on after the end",
      RESULT,
      () => resultWith((all) => [...all.slice(0, 5), latin1("\x06a text\x011")]),
      /closed|answers what was not asked|no end/,
    ],
  ])("%s", async (_what, answer, bytes, reported) => {
    const { status, text } = await answerOf("mysql", { answer, bytes: bytes() }, query);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(reported) as string });
  });

  it.each<[what: string, answer: number, bytes: Buffer]>([
    ["greetings", GREETING, Buffer.alloc(60_000, "\x0a")],
    ["rows that are one", RESULT, Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0]), Buffer.alloc(60_000)])],
  ])("without end of %s", async (_what, answer, bytes) => {
    expect((await answerOf("mysql", { answer, bytes, repeats: true }, query)).status).toBe(400);
  });
});

describe.each(["postgres", "mysql"] as const)("a %s server that falls silent", (kind) => {
  it("at any point of a connection test is given up at its deadline", async () => {
    await Promise.all(
      RECORDINGS[kind].test[0]!.map(async (_, answer) => {
        const { status, text } = await answerOf(
          kind,
          { answer },
          (source) => post("/connections/test", { source, deadlineMs: SILENCE_MS }),
          RECORDINGS[kind].test,
        );
        expect({ status, ...(JSON.parse(text) as object) }, `answer ${answer}`).toMatchObject({
          status: 400,
          code: "connection_failed",
          reason: "timeout",
        });
      }),
    );
  });

  it("at any point of a query is given up at its deadline", async () => {
    await Promise.all(
      RECORDINGS[kind].query[0]!.map(async (_, answer) => {
        const { status, text } = await answerOf(kind, { answer }, (source) =>
          post("/statements", statement(source, { deadlineMs: SILENCE_MS })),
        );
        expect({ status, ...(JSON.parse(text) as object) }, `answer ${answer}`).toMatchObject({
          status: 408,
          code: "deadline_exceeded",
        });
      }),
    );
  });

  it("in the middle of its rows, or of TLS, is given up too", async () => {
    const last = RECORDINGS[kind].query[0]!.at(-1)!;
    const server = await kinds[kind].protocol.play([
      [...RECORDINGS[kind].query[0]!.slice(0, -1), last.subarray(0, last.length - 9)],
    ]);
    const cut = await post("/statements", statement(kinds[kind].source(server.port), { deadlineMs: SILENCE_MS }));
    server.close();
    // Rows that were there had gone out with their status.
    expect(cut.text).toContain("query_timeout");
    // The real server says that it has TLS, and nothing after that.
    const silent = await listen((socket) => socket.once("data", () => socket.write("S")));
    if (kind === "postgres")
      expect(
        await post("/connections/test", { source: kinds[kind].source(silent.port), deadlineMs: SILENCE_MS }),
      ).toMatchObject({ status: 400, text: expect.stringContaining("timeout") as string });
    silent.close();
  });
});

it("the engine's memory stays what it was", async () => {
  const peak = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${engine.pid}/status`, "utf8").catch(() => ""))?.[1];
  if (peak !== undefined) expect(Number(peak) * 1_024).toBeLessThan(1_024 * MIB);
});
