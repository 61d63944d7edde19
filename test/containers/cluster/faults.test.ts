// What a cluster, or something in between, may do wrong: each is an error in words, in bounded time, and never a result
// that lacks rows or passes for whole; what nobody reads on is ended at the cluster.

import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ClusterCredentials, ClusterTarget } from "../../../kernel/wire/statements/cluster.ts";
import { EngineFailure } from "../../../kernel/wire/engine.ts";
import { column, signature, startFakeCluster, type FakeCluster } from "../../support/node/cluster/fake-cluster.ts";
import { aStatement, startEngine, type Engine } from "../../support/node/programs/engine.ts";

let engine: Engine;
let fake: FakeCluster;
beforeAll(async () => {
  engine = await startEngine({ hostsAllowed: "loopback" });
  fake = await startFakeCluster();
});
afterAll(async () => {
  await engine.stop();
  await fake.close();
});
beforeEach(() => fake.reset());

const N = column("n", signature("bigint"));
const page = (...numbers: unknown[]) => ({ columns: [N], data: numbers.map((n) => [n]) });

const targetOf = (cluster: Partial<ClusterCredentials> = {}, more: Partial<ClusterTarget> = {}): ClusterTarget => ({
  kind: "cluster",
  cluster: { url: fake.url, username: "fjord", catalog: "lake", ...cluster },
  ...{ edits: [], timeZone: "UTC", form: "cells", isParametric: true, ...more },
});
const SQL = "SELECT n FROM t";
const run = (target = targetOf(), more: object = {}): Promise<Response> =>
  engine.call("POST", "/statements", aStatement({ sql: SQL, target, ...more }));

async function failure(target?: ClusterTarget, more?: object): Promise<EngineFailure> {
  const response = await run(target, more);
  if (response.status !== 200) return EngineFailure.parse(await response.json());
  throw new Error(`It answers ${await response.text()}`);
}

function says(response: ServerResponse, status: number, body = ""): true {
  response.writeHead(status).end(body);
  return true;
}

describe("a result", () => {
  it("is whole once the cluster says so, with every row and what was read for it", async () => {
    fake.pages = [{}, page(1, 2), { columns: [N] }, { ...page(3), physicalInputBytes: 4_096 }];
    const body = (await (await run()).json()) as { data: object[]; meta: object; success: boolean };
    expect(body).toMatchObject({ data: [{ n: 1 }, { n: 2 }, { n: 3 }], success: true });
    expect(body.meta).toMatchObject({ engine: "trino", bytesRead: 4_096 });
    expect(fake.cancelled).toBe(0);
  });

  it("is sent for with the engine's own session, and nothing of the sender's", async () => {
    fake.pages = [page(1)];
    await run(targetOf({ password: "s3cret" }, { timeZone: "Europe/Berlin" }), { sender: "someone" });
    const [{ headers, body }] = fake.requests as [(typeof fake.requests)[number]];
    expect(body).toBe(SQL);
    expect(
      Object.keys(headers)
        .filter((name) => name.startsWith("x-trino-"))
        .sort(),
    ).toEqual(["x-trino-client-capabilities", "x-trino-source", "x-trino-time-zone", "x-trino-user"]);
    expect(headers.authorization).toBe(`Basic ${Buffer.from("fjord:s3cret").toString("base64")}`);
    for (const request of fake.requests) expect(request.headers.authorization).toBe(headers.authorization);
  });

  it("is ended at the cluster where its reader has gone", async () => {
    fake.pages = [{}, ...Array.from({ length: 200 }, (_, i) => page(...Array.from({ length: 5_000 }, () => i)))];
    const response = await run(targetOf(), { format: "ndjson" });
    await response.body!.cancel();
    await expect.poll(() => fake.cancelled).toBe(1);
  });

  it("is ended at the cluster where a cap of its reader is reached", async () => {
    fake.pages = [{}, page(1, 2, 3), page(4)];
    const response = await run(targetOf(), { rowsMax: 2 });
    expect(await response.json()).toMatchObject({ rowCount: 2, truncated: true, success: true });
    expect(fake.cancelled).toBe(1);
  });
});

describe("an error of the cluster", () => {
  const error = (errorName: string, errorType: string, more: object = {}) => ({
    error: { message: "line 1:8: it is so", errorCode: 1, errorName, errorType, ...more },
    state: "FAILED",
  });

  it("is one of the statement, at its place in the text as it was sent", async () => {
    const edits = [{ at: 14, end: 15, text: '"lake"."s"."t" FOR VERSION AS OF BIGINT \'7\'' }];
    const sql = "SELECT n FROM t\nWHERE 'ä' = 💡no";
    const errorLocation = { lineNumber: 2, columnNumber: 13 };
    fake.pages = [error("COLUMN_NOT_FOUND", "USER_ERROR", { errorLocation })];
    const failed = await failure(targetOf({}, { edits }), { sql });
    expect(failed).toEqual({ code: "sql_error", message: "it is so (COLUMN_NOT_FOUND)", position: 29 });
    expect(fake.requests[0]!.body).toContain(`FROM "lake"."s"."t" FOR VERSION AS OF BIGINT '7'\nWHERE`);
  });

  it.each([
    ["EXCEEDED_LOCAL_MEMORY_LIMIT", "INSUFFICIENT_RESOURCES", "resources_exceeded"],
    ["EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES", "deadline_exceeded"],
    ["ICEBERG_CANNOT_OPEN_SPLIT", "EXTERNAL", "source_unavailable"],
    ["REMOTE_HOST_GONE", "INTERNAL_ERROR", "source_unavailable"],
    ["TOO_MANY_REQUESTS_FAILED", "INTERNAL_ERROR", "source_unavailable"],
    ["GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", "sql_error"],
  ])("%s is a failure of its own kind", async (name, type, code) => {
    fake.pages = [error(name, type)];
    expect((await failure()).code).toBe(code);
  });

  it("after rows is never an end of a result", async () => {
    fake.pages = [{}, page(1, 2), error("REMOTE_TASK_ERROR", "INTERNAL_ERROR")];
    const response = await run();
    // Rows that were not sent yet leave the failure a status of its own.
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: "source_unavailable",
      message: expect.stringContaining("node"),
    });
  });

  it("of the lake's key says so", async () => {
    const failureInfo = { type: "io.trino.X", cause: { type: "org.apache.iceberg.exceptions.NotAuthorizedException" } };
    fake.pages = [error("ICEBERG_CATALOG_ERROR", "EXTERNAL", { failureInfo })];
    expect(await failure()).toMatchObject({ code: "connection_failed", reason: "lake_key_refused" });
  });

  it("just after its start is tried again for a while", async () => {
    let times = 0;
    fake.pages = [error("NO_NODES_AVAILABLE", "INSUFFICIENT_RESOURCES"), page(1)];
    fake.intercept = ({ method }) => {
      if (method === "POST" && ++times === 3) fake.pages = [page(1)];
      return false;
    };
    expect(await (await run()).json()).toMatchObject({ data: [{ n: 1 }], success: true });
    expect(times).toBe(3);
  });
});

describe("an answer that breaks the protocol", () => {
  const ends =
    (body: string, status = 200, headers: Record<string, string> = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, headers).end(body);
      return true;
    };
  const atPage = (token: number, answer: (response: ServerResponse) => boolean): void => {
    fake.intercept = ({ method, path }, response) => method === "GET" && path.endsWith(`/${token}`) && answer(response);
  };

  it.each<[string, () => void]>([
    ["no JSON", () => atPage(1, ends("<html>"))],
    ["half of it", () => atPage(1, ends('{"id":'))],
    ["another status", () => atPage(1, ends("", 418))],
    ["a packed body", () => atPage(1, ends("x", 200, { "content-encoding": "gzip" }))],
    ["columns that change", () => (fake.pages[1] = { columns: [column("n", signature("varchar"))], data: [["a"]] })],
    ["rows without columns", () => (fake.pages = [{ data: [[1]] }])],
    ["a row of another length", () => (fake.pages[1] = { columns: [N], data: [[1, 2]] })],
    ["a row that is none", () => (fake.pages[1] = { columns: [N], data: [1] })],
    ["an end that is none", () => (fake.pages[2] = { ...page(3), state: "RUNNING" })],
    ["another statement", () => (fake.pages[1] = { ...page(1), id: "20261130_000000_00002_other" })],
    [
      "a page that comes again",
      () =>
        (fake.pages[1] = {
          ...page(1),
          nextUri: `${fake.url}/v1/statement/executing/20261130_000000_00001_fake1/y00/1`,
        }),
    ],
    ["an address beside", () => (fake.pages[1] = { ...page(1), nextUri: `${fake.url}/ui/api/stats` })],
    ["a number that is none", () => (fake.pages[1] = page("12x"))],
    ["a number beyond its type", () => (fake.pages[1] = page("99999999999999999999"))],
    ["a fraction of a whole number", () => (fake.pages[1] = page(1.5))],
    [
      "a type without its numbers",
      () => (fake.pages = [{ columns: [column("n", signature("decimal"))], data: [["1"]] }]),
    ],
  ])("is a failure: %s", async (_, spoil) => {
    fake.pages = [page(0), page(1), page(2)];
    spoil();
    expect(await failure()).toMatchObject({ code: "connection_failed", reason: "other" });
  });

  it("is a failure where the next page has another origin, which is not asked", async () => {
    const other = await startFakeCluster();
    fake.pages = [
      page(0),
      { ...page(1), nextUri: `${other.url}/v1/statement/executing/20261130_000000_00001_fake1/y/9` },
    ];
    fake.pages.push(page(2));
    expect(await failure()).toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("another address"),
    });
    expect(other.requests).toEqual([]);
    expect(fake.cancelled).toBe(1);
    await other.close();
  });

  it("has no secret in its words, whatever they are about", async () => {
    const [password, basic] = ["s3cr3t words", Buffer.from("fjord:s3cr3t words").toString("base64")];
    const error = { message: `${password} and Basic ${basic}`, errorCode: 1, errorName: "X", errorType: "USER_ERROR" };
    fake.pages = [{}, { error }];
    const { message } = await failure(targetOf({ password }));
    expect(message).toContain("*** and Basic ***");
  });

  it.each([301, 302, 307, 308])("is a failure where it redirects (%i), which is not followed", async (status) => {
    const other = await startFakeCluster();
    fake.intercept = (_, response) => ends("", status, { location: `${other.url}/v1/statement` })(response);
    expect(await failure(targetOf({ token: "t0ken" }))).toMatchObject({ code: "connection_failed" });
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it("is a failure where its body is beyond any bound", async () => {
    fake.pages = [{}, page(1)];
    atPage(1, (response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(1024 * 1024, " ");
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      more();
      return true;
    });
    expect(await failure()).toMatchObject({ code: "resources_exceeded" });
    expect(fake.cancelled).toBe(1);
  });

  it("is a failure where the statement is one that writes", async () => {
    fake.pages = [{ columns: [column("rows", signature("bigint"))], data: [[1]], updateType: "INSERT" }];
    expect(await failure()).toMatchObject({ code: "statement_refused" });
  });
});

describe("a cluster that is away", () => {
  const AWAY_MS = 15_000;
  const timed = async (target?: ClusterTarget): Promise<EngineFailure> => {
    const startedAt = performance.now();
    const failed = await failure(target);
    expect(performance.now() - startedAt).toBeLessThan(AWAY_MS);
    return failed;
  };

  it("is a failure that says to try again, within 15 s: nothing listens", async () => {
    expect(await timed(targetOf({ url: "http://127.0.0.1:9" }))).toMatchObject({ code: "source_unavailable" });
  });

  it("is a failure that says to try again, within 15 s: it does not answer, or is 503", async () => {
    fake.intercept = () => true;
    const silent = timed();
    const busy = await startFakeCluster();
    busy.intercept = (_, response) => says(response, 503);
    expect((await timed(targetOf({ url: busy.url }))).code).toBe("source_unavailable");
    expect((await silent).code).toBe("source_unavailable");
    await busy.close();
  });

  it("is asked for the page again where it was away for a moment, and gives each row once", async () => {
    fake.pages = [{}, page(1), page(2)];
    let times = 0;
    fake.intercept = ({ path }, response) => path.endsWith("/1") && ++times <= 2 && says(response, 502);
    expect(await (await run()).json()).toMatchObject({ data: [{ n: 1 }, { n: 2 }], success: true });
  });

  it("and came back without the statement is not asked for it again", async () => {
    fake.pages = [{}, page(1)];
    fake.intercept = ({ path }, response) => path.endsWith("/1") && says(response, 404);
    expect(await failure()).toMatchObject({
      code: "source_unavailable",
      message: expect.stringContaining("no longer knows"),
    });
    expect(fake.requests.filter(({ path }) => path.endsWith("/1") && path.includes("executing"))).toHaveLength(2);
  });

  it("in mid-statement is a failure, and the statement is ended there where that can be", async () => {
    fake.pages = [{}, page(1), page(2)];
    fake.intercept = ({ method, path }, response) => method === "GET" && path.endsWith("/2") && says(response, 503);
    const response = await run();
    expect(await response.text()).toContain("source_unavailable");
    expect(fake.cancelled).toBe(1);
  });
});

describe("who may be asked", () => {
  it.each([401, 403])("is refused by the cluster (%i), which says so", async (status) => {
    fake.intercept = (_, response) => says(response, status, "secret words");
    expect(await failure(targetOf({ password: "s3cret" }))).toMatchObject({
      ...{ code: "connection_failed", reason: "authentication" },
    });
  });

  it.each([
    ["http://example.com:8080", "tls"],
    ["https://192.168.1.1", "host_forbidden"],
    ["https://169.254.169.254", "host_forbidden"],
    ["ftp://127.0.0.1", "other"],
    ["http://user:pw@127.0.0.1", "other"],
    ["http://127.0.0.1/trino", "other"],
    ["nothing", "other"],
  ])("is no cluster at %s", async (url, reason) => {
    const failed = await failure(targetOf({ url }));
    // Where names can't be looked up, that is what is said of one.
    expect([reason, "dns"]).toContain(failed.reason);
    expect(failed.code).toBe("connection_failed");
  });
});

describe("a statement that is ended", () => {
  it("by its deadline is ended at the cluster, too", async () => {
    fake.pages = Array.from({ length: 100_000 }, () => ({}));
    expect(await failure(targetOf(), { deadlineMs: 500 })).toMatchObject({ code: "deadline_exceeded" });
    expect(fake.cancelled).toBe(1);
  });

  it("by request is ended at the cluster, too", async () => {
    fake.pages = Array.from({ length: 100_000 }, () => ({}));
    const failed = failure(targetOf(), { id: "ended-by-request" });
    await expect.poll(() => fake.requests.length).toBeGreaterThan(3);
    expect((await engine.call("DELETE", "/statements/ended-by-request")).status).toBe(204);
    expect(await failed).toMatchObject({ code: "cancelled" });
    expect(fake.cancelled).toBe(1);
  });
});
