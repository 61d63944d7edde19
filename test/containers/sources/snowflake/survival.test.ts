// What goes wrong at Snowflake, in its stores or on the way: said in words, in bounded time, with no row lost, doubled
// or changed in silence, and nothing left open.

import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { snowflake } from "../../../../containers/engine/sources/snowflake/connector.ts";
import { connect } from "../../../../containers/engine/sources/snowflake/connection/connect.ts";
import { CREDENTIALS } from "../../../support/node/sources/snowflake/fake-sessions.ts";
import type { AnswerBody } from "../../../support/node/sources/snowflake/fake-statements.ts";
import type { Spoilt } from "../../../support/node/sources/snowflake/fake-snowflake.ts";
import { SNOWFLAKE, withFakeSnowflake } from "../../../support/node/sources/snowflake/with-fake.ts";

const fake = withFakeSnowflake(({ database }) =>
  database.execute("CREATE VIEW numbers AS SELECT range AS n, md5(CAST(range AS VARCHAR)) AS t FROM range(5000)"),
);

const NUMBERS = "SELECT n, t FROM numbers";
const LIMIT_MS = 15_000;

/** The numbers read, in order. */
async function read(sql = NUMBERS, signal = AbortSignal.timeout(LIMIT_MS)): Promise<number[]> {
  const numbers: number[] = [];
  await snowflake.query({ source: SNOWFLAKE, sql, access: "everything", signal }, ({ rows }) =>
    rows(({ bytes, starts, ends }) => {
      numbers.push(Number(Buffer.from(bytes).toString("latin1", starts[0], ends[0])));
      return true;
    }),
  );
  return numbers;
}

const ALL = Array.from({ length: 5_000 }, (_, i) => i);
const output = [vi.spyOn(process.stdout, "write"), vi.spyOn(process.stderr, "write")];

/** Whatever happened, nobody learns a secret, every socket is closed and every session that was had is ended. */
afterEach(async () => {
  await expect.poll(() => fake().openSockets).toBe(0);
  const said = JSON.stringify(output.map(({ mock }) => mock.calls.map(([text]) => String(text))));
  expect(said).not.toMatch(/canary-(?:password|token)/);
});

const spoilChunk =
  (at: number, spoilt: (chunks: readonly Buffer[]) => Spoilt, times = Infinity) =>
  (index: number, count: number, chunks: readonly Buffer[]) =>
    index === at && count < times ? spoilt(chunks) : undefined;

describe("a chunk", () => {
  test.each<[string, Spoilt, number]>([
    ["is cut off on the way", "close", 2],
    ["can't be had for a moment", { status: 503, body: "<Error/>" }, 2],
    ["comes shorter than it is", { body: gzipSync('["1","x"]') }, 1],
  ])("that %s is asked for again, and every row comes once", async (_, spoilt, times) => {
    fake().faults.chunk = spoilChunk(2, () => spoilt, times);
    expect(await read()).toEqual(ALL);
  });

  test.each<[string, (chunks: readonly Buffer[]) => Spoilt, RegExp]>([
    ["is cut off each time", () => "close", /connection to Snowflake broke/],
    ["fails each time", () => ({ status: 500 }), /can't be had of its store \(HTTP 500\)/],
    ["is kept no longer", () => ({ status: 403 }), /HTTP 403\): it may be kept no longer/],
    [
      "is elsewhere now",
      () => ({ status: 302, headers: { location: "http://127.0.0.1:1/" } }),
      /redirects .* not followed/,
    ],
    ["was packed and cut short", ([, , bytes]) => ({ body: bytes!.subarray(0, -20) }), /can't be unpacked/],
    ["lacks its last rows", () => ({ body: gzipSync('["1","x"],["2","y"]') }), /has 2 rows of the 1000/],
    ["ends within a row", () => ({ body: gzipSync('["1","x"],["2","') }), /ends within a row/],
    ["is no rowset", () => ({ body: gzipSync("<Error>no</Error>") }), /breaks Snowflake's protocol/],
    ["repeats another", ([, bytes]) => ({ body: bytes! }), /in place of another|another size/],
    ["comes in place of a later one", ([, , , bytes]) => ({ body: bytes! }), /in place of another|another size/],
    ["is larger unpacked than any", () => ({ body: gzipSync(Buffer.alloc(5_000_000, 0x20)) }), /rows of the 1000/],
  ])("that %s ends the result in words", async (_, spoilt, words) => {
    fake().faults.chunk = spoilChunk(2, spoilt);
    fake().faults.answer = ({ data }) => {
      if (!words.source.includes("another")) for (const chunk of (data as Data).chunks) delete chunk.uncompressedSize;
    };
    await expect(read()).rejects.toThrow(words);
    expect(fake().requests.filter((path) => path.endsWith("/2")).length).toBeLessThanOrEqual(4);
  });

  test("that never comes to its end is waited for no longer than the caller waits", async () => {
    fake().faults.chunk = spoilChunk(2, () => "stall");
    await expect(read(NUMBERS, AbortSignal.timeout(1_000))).rejects.toThrow("timeout");
  });

  test("that nobody wants any more is not read", async () => {
    let rows = 0;
    await snowflake.query(
      { source: SNOWFLAKE, sql: NUMBERS, access: "everything", signal: AbortSignal.timeout(LIMIT_MS) },
      (result) => result.rows(() => ++rows < 150),
    );
    expect(rows).toBe(150);
    expect(fake().requests.filter((path) => path.startsWith("/store/")).length).toBeLessThan(5);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data",
    "https://169.254.169.254/latest/meta-data",
    "https://example.com/chunk",
    "https://bucket.s3.amazonaws.com.example.com/chunk",
    "https://bucket.s3.amazonaws.com:8443/chunk",
    "http://bucket.s3.amazonaws.com/chunk",
    "https://user@bucket.s3.amazonaws.com/chunk",
    "http://10.0.0.1/chunk",
    "http://localhost:1/chunk",
    "file:///etc/passwd",
    "/chunk",
  ])("that is said to lie at %s is not read", async (url) => {
    fake().faults.answer = ({ data }) => {
      (data!.chunks as { url: string }[])[2]!.url = url;
    };
    await expect(read()).rejects.toMatchObject({ code: "connection_failed", reason: "host_forbidden" });
  });
});

type Data = Record<string, unknown> & { chunks: Record<string, unknown>[]; rowset: unknown[][] };

describe("an answer", () => {
  test.each<[string, (data: Data, body: AnswerBody) => void, RegExp]>([
    ["counts other rows than it has", (data) => (data.total = 4_999), /4999 rows has parts of 5000/],
    ["returns fewer than there are", (data) => (data.returned = 4_000), /4000 rows has parts of 5000/],
    ["has a part twice", (data) => (data.chunks[1]!.url = data.chunks[0]!.url), /a part twice/],
    ["counts a part wrong", (data) => (data.chunks[1]!.rowCount = 999), /5000 rows has parts of 4999/],
    ["has a part without a count", (data) => delete data.chunks[1]!.rowCount, /no address or count/],
    ["has lost an inline row", (data) => data.rowset.pop(), /parts of 4999/],
    ["has a cell too many", (data) => data.rowset[3]!.push("x"), /other cells than the result's columns/],
    ["has no columns", (data) => delete data.rowtype, /not of the form/],
    [
      "is in Arrow",
      (data) => Object.assign(data, { queryResultFormat: "arrow", rowsetBase64: "" }),
      /Arrow where JSON/,
    ],
    ["is of several statements", (data) => (data.resultIds = "a,b"), /several statements/],
    [
      "asks for a file",
      (data) => Object.assign(data, { command: "UPLOAD", src_locations: ["/etc/passwd"] }),
      /moves files/,
    ],
    [
      "is an error within 200",
      (_, body) => Object.assign(body, { success: false, code: "000603", message: "Internal error", data: null }),
      /Internal error \(000603\)/,
    ],
    [
      "was ended by its time limit",
      (_, body) =>
        Object.assign(body, {
          success: false,
          code: "000630",
          message: "Statement reached its timeout of 5 second(s)",
          data: null,
        }),
      /ended the statement/,
    ],
    ["is no answer", (_, body) => Object.assign(body, { success: "yes" }), /breaks Snowflake's protocol/],
    [
      "waits at another host",
      (data, body) =>
        Object.assign(body, { code: "333333", data: { ...data, getResultUrl: "@127.0.0.1:1/queries/x/result" } }),
      /no address/,
    ],
    [
      "waits at another path",
      (data, body) => Object.assign(body, { code: "333333", data: { ...data, getResultUrl: "/session?delete=true" } }),
      /no address/,
    ],
  ])("that %s is refused in words", async (_, spoil, words) => {
    fake().faults.answer = (body) => spoil(body.data as Data, body);
    await expect(read()).rejects.toThrow(words);
  });

  test.each<[string, Spoilt, RegExp]>([
    ["is cut off each time", "close", /connection to Snowflake broke/],
    ["is no JSON", { body: gzipSync("<html>") }, /breaks Snowflake's protocol/],
    ["can't be unpacked", { headers: { "content-encoding": "gzip" }, body: "plain" }, /can't be unpacked/],
    ["fails each time", { status: 502, body: gzipSync("{}") }, /Snowflake's service fails \(HTTP 502\)/],
    ["redirects", { status: 307, headers: { location: "http://127.0.0.1:1/" } }, /redirects .* not followed/],
  ])("that %s is refused in words", async (_, spoilt, words) => {
    fake().faults.request = (path) => (path.endsWith("query-request") ? spoilt : undefined);
    await expect(read()).rejects.toThrow(words);
    expect(fake().requests.filter((path) => path.endsWith("query-request")).length).toBeLessThanOrEqual(4);
  });

  test("that is lost on the way is asked for again, and the statement runs once", async () => {
    fake().faults.request = (path, count) => (path.endsWith("query-request") && count < 2 ? "close" : undefined);
    expect(await read()).toEqual(ALL);
    expect(fake().statementsSeen).toEqual([NUMBERS]);
  });

  test("that never comes is waited for no longer than the caller waits", async () => {
    fake().faults.request = (path) => (path.endsWith("query-request") ? "stall" : undefined);
    await expect(read(NUMBERS, AbortSignal.timeout(500))).rejects.toThrow("timeout");
    expect(fake().requests).toContain("/queries/v1/abort-request");
  });
});

describe("a session", () => {
  test("that expires is renewed, and the statement runs once", async () => {
    const connection = await connect(CREDENTIALS, AbortSignal.timeout(LIMIT_MS));
    try {
      for (let i = 0; i < 3; i++) {
        fake().sessions.expire();
        expect(await connection.fetchRows("SELECT 1 AS one", "n", AbortSignal.timeout(LIMIT_MS))).toEqual([["1"]]);
      }
    } finally {
      await connection.close();
    }
    expect(fake().statementsSeen.length).toBe(3);
    expect(fake().sessions.all.map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  test.each<[string, () => void, RegExp]>([
    ["can't be renewed", () => fake().sessions.expireForGood(), /session with Snowflake ended: .*\(390114\)/],
    ["is gone", () => (fake().sessions.all[0]!.isClosed = true), /session with Snowflake ended: .*\(390111\)/],
    ["is unknown", () => (fake().sessions.all[0]!.token = "other"), /session with Snowflake ended: .*\(390104\)/],
    [
      "is refused again whenever it was renewed",
      () => {
        vi.spyOn(fake().sessions, "find").mockReturnValue({
          success: false,
          code: "390112",
          message: "expired",
          data: null,
        });
      },
      /as soon as it was renewed/,
    ],
    [
      "is renewed without a token",
      () => {
        fake().sessions.expire();
        vi.spyOn(fake().sessions, "renew").mockReturnValue({ success: true, code: null, message: null, data: {} });
      },
      /a session has no token/,
    ],
  ])("that %s ends in words", async (_, spoil, words) => {
    const connection = await connect(CREDENTIALS, AbortSignal.timeout(LIMIT_MS));
    try {
      spoil();
      await expect(connection.fetchRows("SELECT 1 AS one", "n", AbortSignal.timeout(LIMIT_MS))).rejects.toThrow(words);
    } finally {
      await connection.close();
      vi.restoreAllMocks();
    }
  });
});

describe("a login", () => {
  const logIn = (change: Partial<typeof CREDENTIALS> = {}, signal = AbortSignal.timeout(LIMIT_MS)) =>
    connect({ ...CREDENTIALS, ...change }, signal);

  test("with a wrong password says so, and is not tried again", async () => {
    await expect(logIn({ password: "canary-password-wrong" })).rejects.toMatchObject({
      code: "connection_failed",
      reason: "authentication",
      message: "Snowflake refused the login: Incorrect username or password was specified. (390100)",
    });
    expect(fake().requests).toEqual(["/session/v1/login-request"]);
  });

  test("to a database that is missing says so", async () => {
    await expect(logIn({ database: "other" })).rejects.toMatchObject({ reason: "database_missing" });
  });

  test("that would need a second factor says what to do", async () => {
    vi.spyOn(fake().sessions, "logIn").mockReturnValue({
      success: false,
      code: "394508",
      message: "Multi-factor authentication is required for this account.",
      data: null,
    });
    await expect(logIn()).rejects.toMatchObject({
      reason: "authentication",
      message: expect.stringContaining("use a programmatic access token as the password"),
    });
    vi.restoreAllMocks();
  });

  test.each<[string, Spoilt, string, RegExp]>([
    [
      "is redirected",
      { status: 302, headers: { location: "http://169.254.169.254/" } },
      "host_forbidden",
      /not followed/,
    ],
    ["finds no such account", { status: 403, body: gzipSync("{}") }, "other", /no such account/],
    ["is answered by something else", { body: gzipSync("[]") }, "other", /breaks Snowflake's protocol/],
    ["gets no token", { body: gzipSync('{"success":true,"data":{}}') }, "other", /no token/],
    ["gets no data", { body: gzipSync('{"success":true}') }, "other", /no token/],
    ["is cut off", "close", "other", /connection to Snowflake broke/],
  ])("that %s ends in words", async (_, spoilt, reason, message) => {
    fake().faults.request = () => spoilt;
    await expect(logIn()).rejects.toMatchObject({
      code: "connection_failed",
      reason,
      message: expect.stringMatching(message),
    });
  });

  test("that is not answered ends with the caller's patience", async () => {
    fake().faults.request = () => "stall";
    await expect(logIn({}, AbortSignal.timeout(300))).rejects.toThrow("timeout");
  });

  test("where nobody listens says that it is refused", async () => {
    vi.stubEnv("ENGINE_SNOWFLAKE_EMULATOR", "http://127.0.0.1:9");
    await expect(logIn()).rejects.toMatchObject({ reason: "refused" });
    vi.stubEnv("ENGINE_SNOWFLAKE_EMULATOR", fake().url);
  });
});
