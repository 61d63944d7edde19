// What BigQuery, or something in between, may do wrong: each is an error in words, in bounded time, and never a result
// that lacks rows, has some twice, or keeps a socket open.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { connect } from "../../../../containers/engine/sources/bigquery/connection/connect.ts";
import { statementFailure } from "../../../../containers/engine/sources/bigquery/connection/errors.ts";
import { GoogleHost } from "../../../../containers/engine/sources/bigquery/connection/google-host.ts";
import { PinnedHttp } from "../../../../containers/engine/sources/services/pinned-http.ts";
import type { Answer } from "../../../support/node/sources/bigquery/fake-jobs.ts";
import type { Spoil, Spoilt } from "../../../support/node/sources/bigquery/fake-bigquery.ts";
import { withFakeBigquery } from "../../../support/node/sources/bigquery/with-fake.ts";

const ROWS = 1_000;
const PAGE = 100;
const SQL = `SELECT n FROM UNNEST(GENERATE_ARRAY(1, ${ROWS})) AS n`;
const WHOLE = Array.from({ length: ROWS }, (_, i) => String(i + 1));
/** Less than in service, so that a test is soon over. */
const PATIENCE = { attemptMs: 400, triesMax: 3, firstPauseMs: 10 };
const never = new AbortController().signal;

const fake = withFakeBigquery(async ({ jobs }) => {
  jobs.pageRows = PAGE;
});

async function read(sql = SQL): Promise<string[]> {
  const connection = await connect(fake().source().credentials, never, PATIENCE);
  try {
    await connection.dryRun({ sql, signal: never });
    const { rows } = await connection.stream({ sql, signal: never });
    const all: string[] = [];
    await rows(([n]) => void all.push(n!));
    return all;
  } catch (error) {
    throw statementFailure(error, false, sql);
  } finally {
    await connection.close();
  }
}

async function failure(): Promise<Failure> {
  const startedAt = performance.now();
  const error = await read().then(
    (rows) => `a result of ${rows.length} rows`,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  return error as Failure;
}

afterEach(async () => {
  await vi.waitFor(() => expect(fake().connections()).toBe(0));
});

type Page = { pageToken?: string; rows?: unknown[]; totalRows?: string; [name: string]: unknown };

/** Spoils an answer by changing its page of rows. */
const onPage =
  (change: (page: Page, url: URL) => Page): Spoil =>
  (answer, url) => ({ ...answer, body: change(JSON.parse(answer.body as string) as Page, url) });
/** Spoils the fourth page alone, the first `times` times that it is asked for. */
function onFourth(spoil: Spoil, times = 1): Spoil {
  let left = times;
  return (answer, url) =>
    url.searchParams.get("pageToken") === `page-${3 * PAGE}` && left-- > 0 ? spoil(answer, url) : answer;
}
const refusal =
  (status: number, reason: string): Spoil =>
  () => ({ status, body: { error: { message: `Google's words on ${reason}`, errors: [{ reason, message: "" }] } } });
const cutAt =
  (bytes: number): Spoil =>
  (answer) => ({ ...(answer as Answer), cutAt: bytes });

describe("an answer that breaks off once is asked for again, and nothing is lost or doubled", () => {
  it.each<[string, Parameters<ReturnType<typeof fake>["spoil"]>[0], Spoil]>([
    ["a page that is cut", "jobs.getQueryResults", cutAt(300)],
    ["a page that never comes", "jobs.getQueryResults", () => "stall"],
    ["a page whose connection is closed", "jobs.getQueryResults", () => "hang up"],
    ["a page that the service can't give just now", "jobs.getQueryResults", refusal(503, "backendError")],
    ["a page that comes too fast", "jobs.getQueryResults", refusal(403, "rateLimitExceeded")],
    ["a job's state", "jobs.get", () => "hang up"],
    ["a token", "token", () => "hang up"],
  ])("%s", async (_, operation, spoil) => {
    if (operation === "jobs.getQueryResults") fake().spoil(operation, onFourth(spoil));
    else fake().spoil(operation, spoil, { times: 1 });
    expect(await read()).toEqual(WHOLE);
  });

  it("a job that was made, where that was not heard, is not made twice", async () => {
    const before = fake().jobs.statements.length;
    fake().spoil("jobs.insert", () => "hang up", { skip: 1, times: 1 });
    expect(await read()).toEqual(WHOLE);
    const made = fake()
      .jobs.statements.slice(before)
      .filter(({ isDryRun }) => !isDryRun);
    expect(made).toHaveLength(1);
    expect(fake().requests.filter(({ operation }) => operation === "jobs.insert").length).toBeGreaterThan(2);
  });

  it("a token that expires between two pages", async () => {
    const before = fake().tokens.given.length;
    const expiring: Spoil = (answer) => {
      fake().tokens.expireAll();
      return answer;
    };
    fake().spoil("jobs.getQueryResults", onFourth(expiring));
    expect(await read()).toEqual(WHOLE);
    expect(fake().tokens.given.length - before).toBe(2);
  });
});

describe("an answer that breaks off each time is an error in words", () => {
  it.each<[string, Spoil, RegExp]>([
    ["is cut", cutAt(300), /broke before its answer was whole/],
    ["never comes", () => "stall", /did not answer in time/],
    ["is closed", () => "hang up", /broke before its answer was whole/],
  ])("%s", async (_, spoil, message) => {
    fake().spoil("jobs.getQueryResults", onFourth(spoil, Infinity));
    expect(await failure()).toMatchObject({ code: "connection_failed", message: expect.stringMatching(message) });
  });

  it.each<[string, Spoil, RegExp]>([
    ["is refused for now", refusal(503, "backendError"), /Google's words on backendError \(backendError\).*Try again/],
    ["comes too fast each time", refusal(429, "rateLimitExceeded"), /rateLimitExceeded\).*Try again later/],
    ["is no error of Google's", () => ({ status: 502, body: "<html>Bad gateway</html>" }), /status 502.*\(http502\)/],
  ])("that says that it passes where it %s", async (_, spoil, message) => {
    fake().spoil("jobs.getQueryResults", onFourth(spoil, Infinity));
    expect(await failure()).toMatchObject({ code: "source_unavailable", message: expect.stringMatching(message) });
  });

  it("and a token that is never taken is renewed once", async () => {
    const before = fake().tokens.given.length;
    fake().spoil("jobs.getQueryResults", refusal(401, "authError"));
    expect(await failure()).toMatchObject({
      code: "connection_failed",
      reason: "authentication",
      message: expect.stringContaining("(authError)"),
    });
    expect(fake().tokens.given.length - before).toBe(2);
  });
});

describe("pages that do not make up the result are an error, not a result", () => {
  it.each<[string, Spoil, RegExp]>([
    ["one comes again in another's place", onPage((page) => ({ ...page, rows: firstRows() })), /a page of rows twice/],
    [
      "one is followed by itself",
      onPage((page, url) => ({ ...page, pageToken: url.searchParams.get("pageToken")! })),
      /read before/,
    ],
    ["one lacks rows", onPage((page) => ({ ...page, rows: page.rows!.slice(1) })), /of 1000 rows it sent 999/],
    [
      "one has a row too many",
      onPage((page) => ({ ...page, rows: [...page.rows!, page.rows![0]] })),
      /twice|more rows|1001/,
    ],
    ["one is the last too early", onPage(({ pageToken: _, ...page }) => page), /of 1000 rows it sent 400/],
    ["one says another number of rows", onPage((page) => ({ ...page, totalRows: "999" })), /agree on how many/],
    [
      "one says far too many rows",
      onPage((page) => ({ ...page, totalRows: "9223372036854775807" })),
      /agree on how many/,
    ],
    ["one has no rows and goes on", onPage(({ rows: _, ...page }) => page), /of 1000 rows it sent 900/],
    ["one is of a job that is not done", onPage((page) => ({ ...page, jobComplete: false })), /not done/],
    [
      "one is of another job",
      onPage((page) => ({ ...page, jobReference: { projectId: "p", jobId: "other" } })),
      /another job/,
    ],
    [
      "one has other columns",
      onPage((page) => ({ ...page, schema: { fields: [{ name: "m", type: "INTEGER" }] } })),
      /columns/,
    ],
    [
      "one has a row with more cells",
      onPage((page) => ({ ...page, rows: page.rows!.map(() => ({ f: [{ v: "1" }, { v: "2" }] })) })),
      /number of cells/,
    ],
    [
      "one has a value of another type",
      onPage((page) => ({ ...page, rows: page.rows!.map(() => ({ f: [{ v: "1.5" }] })) })),
      /form of its type INT64/,
    ],
    [
      "one is no JSON",
      (answer) => ({ ...(answer as Answer), body: `${(answer.body as string).slice(0, -20)}` }),
      /no JSON/,
    ],
    ["one is a list", () => ({ status: 200, body: [] }), /has not the form of one/],
    [
      "one says an error under a status of success",
      onPage(() => ({ error: { message: "gone", errors: [{ reason: "gone", message: "" }] } })),
      /gone \(gone\)/,
    ],
  ])("%s", async (_, spoil, message) => {
    fake().spoil("jobs.getQueryResults", onFourth(spoil));
    expect((await failure()).message).toMatch(message);
  });

  const firstRows = () => Array.from({ length: PAGE }, (_, i) => ({ f: [{ v: String(i + 1) }] }));

  it("a first page that promises more than there is, or does not say", async () => {
    fake().spoil(
      "jobs.getQueryResults",
      onPage((page) => ({ ...page, totalRows: "9223372036854775807" })),
    );
    expect((await failure()).message).toMatch(/it sent 1000, and no more/);
    fake().heal();
    fake().spoil(
      "jobs.getQueryResults",
      onPage(({ totalRows: _, ...page }) => page),
    );
    expect((await failure()).message).toMatch(/how many rows/);
  });
});

describe("an error under a status of success is an error", () => {
  const failed = { reason: "resourcesExceeded", message: "Resources exceeded during query execution" };
  const emptied = onPage(({ rows: _, pageToken: __, ...page }) => ({ ...page, totalRows: "0", errors: [failed] }));

  it("that only the job says", async () => {
    fake().spoil(
      "jobs.getQueryResults",
      onPage(({ rows: _, pageToken: __, ...page }) => ({ ...page, totalRows: "0" })),
    );
    fake().spoil("jobs.get", (answer) => {
      const job = answer.body as { status: object };
      return { ...answer, body: { ...job, status: { ...job.status, errorResult: failed } } };
    });
    expect(await failure()).toMatchObject({
      code: "resources_exceeded",
      message: "Resources exceeded during query execution (resourcesExceeded)",
    });
  });

  it("that only the page says", async () => {
    fake().spoil("jobs.getQueryResults", emptied);
    expect(await failure()).toMatchObject({ code: "resources_exceeded" });
  });

  it("but beside rows it is a warning", async () => {
    fake().spoil(
      "jobs.getQueryResults",
      onPage((page) => ({ ...page, errors: [failed] })),
    );
    expect(await read()).toEqual(WHOLE);
  });

  it("that the job has as soon as it is made", async () => {
    fake().spoil(
      "jobs.insert",
      (answer) => ({ ...answer, body: { ...(answer.body as object), status: { state: "DONE", errorResult: failed } } }),
      { skip: 1 },
    );
    expect(await failure()).toMatchObject({ code: "resources_exceeded" });
  });

  it("that a dry run has, or that says nothing", async () => {
    fake().spoil("jobs.insert", ({ body }) => ({ status: 200, body: { ...(body as object), statistics: {} } }));
    expect((await failure()).message).toMatch(/has not the form of one \(statistics.query\)/);
  });
});

describe("what Google refuses is said in its words", () => {
  it.each<[number, string, string]>([
    [403, "quotaExceeded", "resources_exceeded"],
    [403, "accessDenied", "sql_error"],
    [400, "invalidQuery", "sql_error"],
    [404, "notFound", "sql_error"],
  ])("%i %s", async (status, reason, code) => {
    const before = fake().requests.length;
    fake().spoil("jobs.insert", refusal(status, reason));
    expect(await failure()).toMatchObject({ code, message: `Google's words on ${reason} (${reason})` });
    const tries = fake()
      .requests.slice(before)
      .filter(({ operation }) => operation === "jobs.insert");
    expect(tries).toHaveLength(1);
  });

  it("and an answer to the login that is none is no token", async () => {
    for (const body of [{}, { access_token: "a b", expires_in: 3600, token_type: "Bearer" }, [], "no JSON"]) {
      fake().spoil("token", () => ({ status: 200, body }));
      expect((await failure()).message).toMatch(/no access token/);
      fake().heal();
    }
  });
});

describe("an answer that leads elsewhere", () => {
  it.each(["token", "jobs.insert", "jobs.getQueryResults"] as const)("to %s is not followed", async (operation) => {
    const visitors: string[] = [];
    const elsewhere = createServer(({ url, headers }, response) => {
      visitors.push(`${url} ${headers.authorization}`);
      response.end("{}");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    for (const status of [301, 302, 303, 307, 308]) {
      fake().spoil(operation, (): Spoilt => ({ status, body: "", headers: { location } }));
      expect(await failure()).toMatchObject({
        code: "connection_failed",
        message: expect.stringMatching(/sends us to another address/),
      });
      fake().heal();
    }
    elsewhere.close();
    expect(visitors).toEqual([]);
  });
});

describe("an answer without end", () => {
  const MIB = 1024 * 1024;

  it.each([
    ["of plain bytes", false],
    ["that is packed small", true],
  ])("%s is read to its bound and no further", async (_, isPacked) => {
    const server = createServer((__, response) => {
      response.writeHead(200, isPacked ? { "content-encoding": "gzip" } : {});
      if (isPacked) return void response.end(gzipSync(Buffer.alloc(64 * MIB)));
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(MIB, " ")));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const http = new PinnedHttp("BigQuery", { socketsMax: 1 });
    const asked = new GoogleHost(http, origin).send({
      method: "GET",
      path: "/",
      headers: {},
      signal: never,
      bytesMax: 4 * MIB,
    });
    await expect(asked).rejects.toMatchObject({
      code: "resources_exceeded",
      message: expect.stringContaining("4 MiB"),
    });
    http.close(new Error("closed"));
    server.closeAllConnections();
    server.close();
  });
});

it("reads answers that are packed as those that are not", async () => {
  fake().isZipped = true;
  expect(await read()).toEqual(WHOLE);
  fake().isZipped = false;
});
