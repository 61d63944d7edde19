import { describe, expect, it } from "vitest";
import { ENGINE_FAILURES, type EngineFailureCode } from "../../../../kernel/wire/failures.ts";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { CONNECTION_REASONS } from "../../../../kernel/wire/failures.ts";
import { PROBLEMS, type Problem } from "../../../../src/core/problem.ts";
import { openEngine } from "../../../../src/platform/engine/engine.ts";
import { toProblem } from "../../../../src/platform/engine/failure.ts";

const CREDENTIALS = { host: "h", port: "1", database: "d", username: "u", password: "hunter22" };
const TEST = { source: { type: "postgres" as const, credentials: CREDENTIALS }, deadlineMs: 1_000 };
const marked = { [ENGINE_HEADER]: String(PROTOCOL) };

/** An engine behind an object that answers these, one after the other. */
function answering(...answers: (() => Response)[]) {
  let calls = 0;
  const stub = {
    fetch: async () => answers[Math.min(calls++, answers.length - 1)]!(),
    askRunning: async () => answers[0]!(),
  };
  const env = { ENGINE: { getByName: () => stub } } as unknown as Pick<Env, "ENGINE">;
  return { engine: openEngine(env, "team"), calls: () => calls };
}

const failureOf = (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => expect.unreachable(),
    (error: Problem) => error,
  );

describe("an answer that is not the engine's", () => {
  it.each([
    [
      "plain text of the container class",
      () => new Response("There is no Container instance available at this time.", { status: 503 }),
    ],
    ["an error page", () => new Response("<html>", { status: 500 })],
    ["a success without the mark", () => Response.json({ product: "x", version: "1", tls: true, canWrite: false })],
    ["an engine of another protocol", () => Response.json({}, { headers: { [ENGINE_HEADER]: String(PROTOCOL + 1) } })],
    ["a marked answer of another form", () => Response.json({ product: 1 }, { headers: marked })],
  ])("is engine_unavailable, and its text stays inside: %s", async (_, answer) => {
    const { code, message } = await failureOf(answering(answer).engine.testConnection(TEST));
    expect({ code, retryable: PROBLEMS[code].retryable }).toEqual({ code: "engine_unavailable", retryable: true });
    expect(message).toMatch(/Try again/);
    expect(message).not.toMatch(/Container|html/);
  });
});

describe("an engine that is lost", () => {
  const lost = () =>
    new Response("Network connection lost.", { status: 503, headers: { "x-fjord-unavailable": "lost" } });
  const report = () =>
    Response.json({ product: "PostgreSQL", version: "17", tls: true, canWrite: false }, { headers: marked });

  it("is asked once more for what may be done twice", async () => {
    const { engine, calls } = answering(lost, report);
    expect(await engine.testConnection(TEST)).toMatchObject({ product: "PostgreSQL" });
    expect(calls()).toBe(2);
  });

  it("is not asked a second time for a statement", async () => {
    const { engine, calls } = answering(lost, report);
    const statement = {
      id: "x",
      sql: "select 1",
      target: { kind: "source" as const, source: TEST.source, access: "everything" as const },
      format: "json" as const,
      numbers: "exact" as const,
      deadlineMs: 1,
      leaseMs: 1,
      rowsMax: 1,
      bytesMax: 1,
    };
    expect((await failureOf(engine.runStatement(statement, new AbortController().signal))).code).toBe(
      "engine_unavailable",
    );
    expect(calls()).toBe(1);
  });
});

describe("toProblem", () => {
  const codes = Object.keys(ENGINE_FAILURES) as EngineFailureCode[];

  it("has words for every failure of the engine", () => {
    const mapped = Object.fromEntries(codes.map((code) => [code, toProblem({ code, message: "m" }, "sql").code]));
    expect(mapped).toEqual({
      bad_request: "internal_error",
      unauthorized: "engine_unavailable",
      not_found: "resource_not_found",
      conflict: "resource_conflict",
      id_running: "work_in_progress",
      access_unknown: "internal_error",
      forbidden: "forbidden_insufficient_permissions",
      quota_exceeded: "business_quota_exceeded",
      connection_failed: "source_unreachable",
      source_unavailable: "source_unavailable",
      statement_refused: "query_failed",
      stopping: "engine_unavailable",
      sql_error: "query_failed",
      resources_exceeded: "query_failed",
      disk_full: "engine_unavailable",
      process_killed: "engine_unavailable",
      deadline_exceeded: "query_timeout",
      cancelled: "query_cancelled",
      queue_full: "too_many_requests",
      busy: "engine_unavailable",
      platform_unavailable: "engine_unavailable",
      internal: "internal_error",
    });
  });

  it("passes on when there may be room again", () => {
    expect(toProblem({ code: "queue_full", message: "m", retryAfterSeconds: 7 }, "sql")).toMatchObject({
      message: "m",
      retryAfterSeconds: 7,
    });
  });

  it("says where in the statement", () => {
    expect(
      toProblem({ code: "sql_error", message: "no such column", position: 15 }, "sql", [], "SELECT '😀',\n  x"),
    ).toMatchObject({
      message: "no such column (at character 15)",
      location: { position: 15, line: 2, column: 3 },
      flaws: [{ pointer: "/sql", message: "no such column", line: 2, column: 3 }],
    });
  });

  it("points at the part of the body that the statement came from", () => {
    expect(toProblem({ code: "sql_error", message: "no such table" }, "cube_query").flaws).toEqual([
      { pointer: "/cube_query", message: "no such table" },
    ]);
  });

  it("points at the credential a reason is about, when credentials were sent, and at nothing when a query was", () => {
    const failure = { code: "connection_failed" as const, message: "m", reason: "authentication" as const };
    expect(toProblem(failure, { credentialsOf: "postgres" }).flaws).toEqual([
      { pointer: "/credentials/password", message: "authentication: m" },
    ]);
    expect(toProblem(failure, "sql").flaws).toEqual([]);
  });

  it.each([
    ["bigquery", "authentication", "/credentials/credentials_json"],
    ["bigquery", "database_missing", "/credentials/project_id"],
    ["bigquery", "timeout", "/credentials"],
    ["snowflake", "host_forbidden", "/credentials/account"],
    ["snowflake", "authentication", "/credentials/password"],
    ["snowflake", "tls", "/credentials"],
    ["sqlserver", "host_forbidden", "/credentials/host"],
    ["redshift", "tls", "/credentials/sslmode"],
  ] as const)("points at a field that %s has, where the reason is %s", (credentialsOf, reason, pointer) => {
    const failure = { code: "connection_failed", message: "m", reason } as const;
    expect(toProblem(failure, { credentialsOf }).flaws).toEqual([{ pointer, message: `${reason}: m` }]);
  });

  it("tells a source that may come back from one that somebody has to mend", () => {
    const codeOf = (reason?: (typeof CONNECTION_REASONS)[number]) =>
      toProblem({ code: "connection_failed", message: "m", ...(reason && { reason }) }, "sql").code;
    expect(
      Object.fromEntries(CONNECTION_REASONS.map((reason) => [reason, PROBLEMS[codeOf(reason)].retryable])),
    ).toEqual({
      host_forbidden: false,
      dns: true,
      refused: true,
      unreachable: true,
      timeout: true,
      tls: false,
      authentication: false,
      database_missing: false,
      version_unsupported: false,
      lake_key_refused: false,
      lake_differs: false,
      other: true,
    });
    expect([codeOf("refused"), codeOf("authentication"), codeOf()]).toEqual([
      "source_unreachable",
      "connection_failed",
      "source_unreachable",
    ]);
  });

  it("cuts a password out of what a driver said, and drops the whole when it is too short to cut", () => {
    const failure = {
      code: "connection_failed" as const,
      message: "bad password hunter22 for u",
      reason: "authentication" as const,
    };
    const text = (secret: string) =>
      JSON.stringify({
        ...toProblem(failure, { credentialsOf: "mysql" }, [secret]),
        message: toProblem(failure, { credentialsOf: "mysql" }, [secret]).message,
      });
    expect(text("hunter22")).toContain("bad password *** for u");
    expect(text("bad")).not.toContain("bad");
    expect(text("")).toContain("hunter22");
  });
});
