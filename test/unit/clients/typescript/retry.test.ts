// A request is sent again where its answer says so and a repeat does no harm, and never otherwise.

import { describe, expect, it } from "vitest";
import { Fjord } from "../../../../clients/typescript/src/client.ts";
import { PROBLEMS, type ProblemCode } from "../../../../src/core/problem.ts";

type Step = ProblemCode | "lost" | "gateway" | "ok" | "broken";

const REQUEST_ID = "x-request-id";

/** A client whose requests meet these answers, one after the other, and what it sent. */
function scripted(steps: Step[], retryAfter = "0", triesMax = 4) {
  const sent: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(request);
    const step = steps[sent.length - 1] ?? "ok";
    if (step === "lost") throw new TypeError("The connection was lost.");
    if (step === "gateway") return new Response("Error: Network connection lost.", { status: 500 });
    if (step === "ok") return Response.json({ success: true, data: [], columns: [], types: [] });
    if (step === "broken")
      return Response.json({ success: false, message: "It broke.", error: { code: "query_failed" } });
    const { status, title, retryable } = PROBLEMS[step];
    const error = { code: step, title, status, retryable, flaws: [] };
    const headers = retryable ? { "retry-after": retryAfter } : undefined;
    return Response.json({ success: false, message: title, error, meta: {} }, { status, ...(headers && { headers }) });
  };
  const retry = { triesMax, waitMsMax: 1_000 };
  return { fjord: new Fjord({ baseUrl: "https://fjord.test", apiKey: "a-key", fetch, retry }), sent };
}

type Send = (fjord: Fjord) => Promise<unknown>;
const STATEMENT: Send = (fjord) => fjord.query("SELECT 1");
const READ: Send = (fjord) => fjord.api.GET("/v4/me");
const WRITE: Send = (fjord) => fjord.api.POST("/v4/data-access/roles", { body: { name: "R" } as never });

const outcomeOf = async (steps: Step[], send: Send) => {
  const { fjord, sent } = scripted(steps);
  const error: unknown = await send(fjord).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { tries: sent.length, error: error as { code?: string; message: string } | undefined, sent };
};

describe("what may be sent again", () => {
  it.each<[name: string, send: Send, step: Step, tries: number]>([
    ["a statement that the platform has no capacity for", STATEMENT, "too_many_requests", 2],
    ["a write that the platform has no capacity for", WRITE, "too_many_requests", 2],
    ["a statement whose engine is away", STATEMENT, "engine_unavailable", 2],
    ["a write that failed inside", WRITE, "internal_error", 1],
    ["a read that failed inside", READ, "internal_error", 2],
    ["a statement whose answer was lost", STATEMENT, "lost", 2],
    ["a read whose answer was lost", READ, "lost", 2],
    ["a write whose answer was lost", WRITE, "lost", 1],
    ["a statement that a gateway failed", STATEMENT, "gateway", 2],
    ["a write that a gateway failed", WRITE, "gateway", 1],
    ["a statement whose outcome is unknown", STATEMENT, "write_outcome_unknown", 2],
    ["a write whose outcome is unknown", WRITE, "write_outcome_unknown", 1],
    ["a statement whose first sending still runs", STATEMENT, "work_in_progress", 2],
    ["a write that other work is in the way of", WRITE, "work_in_progress", 1],
    ["a statement that is wrong", STATEMENT, "query_failed", 1],
    ["a statement that was committed", STATEMENT, "write_committed", 1],
    ["a statement beyond the plan", STATEMENT, "business_quota_exceeded", 1],
  ])("%s", async (_, send, step, tries) => {
    const outcome = await outcomeOf([step], send);
    expect(outcome.tries).toBe(tries);
    expect(outcome.error === undefined).toBe(tries === 2);
  });
});

describe("a statement", () => {
  it("keeps one request id of its own over all its tries", async () => {
    const { tries, sent } = await outcomeOf(["lost", "work_in_progress", "write_outcome_unknown"], STATEMENT);
    expect(tries).toBe(4);
    const ids = sent.map(({ headers }) => headers.get(REQUEST_ID));
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(ids).size).toBe(1);
    const bodies = await Promise.all(sent.map((request) => request.json()));
    expect(bodies).toEqual(Array.from({ length: 4 }, () => ({ sql: "SELECT 1" })));
  });

  it("is not sent a second time where it runs without its caller", async () => {
    const { fjord, sent } = scripted(["lost"]);
    const headers = { prefer: "respond-async" };
    const asked = fjord.request("/v1/query", { method: "POST", headers, body: "{}" });
    await expect(asked).rejects.toThrow("lost");
    expect(sent).toHaveLength(1);
  });

  it("fails where its document ends with a failure", async () => {
    const { error, tries } = await outcomeOf(["broken"], STATEMENT);
    expect([tries, error?.code, error?.message]).toEqual([1, "query_failed", "It broke."]);
  });
});

it("gives up after the last try, with what failed last", async () => {
  const { error, tries } = await outcomeOf(
    Array.from({ length: 9 }, () => "engine_unavailable" as const),
    READ,
  );
  expect([tries, error?.code]).toEqual([4, "engine_unavailable"]);
});

it("leaves a wait that is longer than it may be to the caller", async () => {
  const { fjord, sent } = scripted(["too_many_requests"], "3600");
  await expect(READ(fjord)).rejects.toMatchObject({ code: "too_many_requests", retryAfterMs: 3_600_000 });
  expect(sent).toHaveLength(1);
});

it("ends a wait once the caller aborts", async () => {
  const { fjord, sent } = scripted(["too_many_requests"], "1");
  const abort = new AbortController();
  const asked = fjord.query("SELECT 1", { signal: abort.signal });
  await expect.poll(() => sent.length).toBe(1);
  abort.abort(new Error("Enough."));
  await expect(asked).rejects.toThrow("Enough.");
  expect(sent).toHaveLength(1);
});
