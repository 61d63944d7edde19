import { createExecutionContext, runDurableObjectAlarm, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { app } from "../../../../src/app.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { fakeSandbox, reportOf } from "../../../support/unit/fake-sandbox.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const countsOf = async ({ id }: TestTeam): Promise<Record<string, number>> => {
  await runDurableObjectAlarm(env.METER.getByName(id));
  const { results } = await env.DB.prepare(
    "select type, sum(count) n from event_rollups where team_id = ? and span_minutes = 1 group by type",
  )
    .bind(id)
    .all<{ type: string; n: number }>();
  return Object.fromEntries(results.map(({ type, n }) => [type, n]));
};

/** What isolates sum up arrives a second later. */
const eventually = (team: TestTeam, type: string, count: number) =>
  vi.waitUntil(async () => ((await countsOf(team))[type] ?? 0) >= count, { timeout: 60_000, interval: 200 });

const DATASETS = { one: { engine: "python", code: "result = 1" }, two: { engine: "python", code: "result = 2" } };
const DOC = { version: 1, kind: "pipeline", metadata: { name: "Counted" }, datasets: DATASETS };

const DURATION_MS = 1_234;
const SLOW_MS = 400;

/** Its last byte comes late. */
const slowBody = (): ReadableStream =>
  new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode("one\r\n"));
      await scheduler.wait(SLOW_MS);
      controller.enqueue(new TextEncoder().encode("1\r\n"));
      controller.close();
    },
  });

describe("what counts as an event", () => {
  it("is an upload whose URL was granted, and one in parts, but no refused one", async () => {
    const team = await newTeam();
    const post = (path: string, body: object) => call("POST", `/v3/drive${path}`, { key: team.member.key, body });
    expect((await post("/upload-url", { path: "a.csv" })).status).toBe(200);
    expect((await post("/uploads", { path: "b.csv" })).status).toBe(201);
    expect((await post("/upload-url", { path: "../a.csv" })).status).toBe(400);
    await eventually(team, "api_request", 3);
    expect(await countsOf(team)).toEqual({ api_request: 3, drive_upload: 2 });
  });

  it("is no statement that was refused before an engine had it", async () => {
    const team = await newTeam();
    const query = (body: object) => call("POST", "/v1/query", { key: team.member.key, body });
    expect((await query({})).status).toBe(422);
    expect((await query({ sql: "select 1", integration_id: crypto.randomUUID() })).status).toBe(404);
    await eventually(team, "api_request", 2);
    expect(await countsOf(team)).toEqual({ api_request: 2 });
  });

  it("is a statement until its last byte, and one that failed", async () => {
    const team = await newTeam();
    const integration = await addPostgres(team);
    const ask = async (fetch: () => Promise<Response>) => {
      const ENGINE = { getByName: () => ({ fetch, askOfStatement: async () => undefined }) };
      const request = new Request("https://fjord.test/v1/query", {
        method: "POST",
        headers: { authorization: `Bearer ${team.member.key}`, "content-type": "application/json" },
        body: JSON.stringify({ sql: "select 1", integration_id: integration }),
      });
      const context = createExecutionContext();
      const response = await app.fetch(request, { ...env, ENGINE } as unknown as Env, context);
      await response.text();
      await waitOnExecutionContext(context);
      return response;
    };
    const headers = { [ENGINE_HEADER]: String(PROTOCOL), "content-type": "text/csv" };
    const failure = { code: "sql_error", message: "No." };
    expect((await ask(async () => Response.json(failure, { status: 400, headers }))).status).toBe(400);
    expect((await ask(async () => new Response(slowBody(), { headers }))).status).toBe(200);
    await eventually(team, "query", 2);
    const counted = env.DB.prepare(
      "select sum(count) n, max(max_ms) ms from event_rollups where team_id = ? and span_minutes = 1 and type = 'query'",
    ).bind(team.id);
    const { n, ms } = (await counted.first<{ n: number; ms: number }>())!;
    expect(n).toBe(2);
    expect(ms).toBeGreaterThanOrEqual(SLOW_MS - 10);
  });

  it("is a webhook's run, and each dataset that ran, once however often the sandbox reports them", async () => {
    const team = await newTeam();
    const { id } = (await call("POST", "/v4/docs", { key: team.admin.key, body: DOC })).body.data;
    const sandbox = fakeSandbox({
      datasets: { two: { success: false, error: "skipped", skipped: true } },
      during: async (order, send) => {
        const [report] = reportOf(order, { datasets: { one: { durationMs: DURATION_MS } } }).datasets;
        for (let times = 0; times < 2; times++) expect((await send("report", report)).status).toBe(204);
      },
    });
    const { status } = await sandbox.post(`/v4/webhook/docs/${id}/execute`, team.member.key, { data: {} });
    expect(status).toBe(200);
    // A doc that is run by hand is no webhook's; its datasets count.
    expect((await sandbox.post(`/v4/docs/${id}/run`, team.member.key, {})).status).toBe(202);
    await vi.waitUntil(async () => ((await countsOf(team))["dataset_execution"] ?? 0) >= 2, { timeout: 60_000 });
    const { webhook_execution: webhooks, dataset_execution: datasets } = await countsOf(team);
    expect([webhooks, datasets]).toEqual([1, 2]);
    const sums = env.DB.prepare(
      "select sum(sum_ms) ms from event_rollups where team_id = ? and span_minutes = 1 and type = 'dataset_execution'",
    ).bind(team.id);
    expect(await sums.first("ms")).toBe(2 * DURATION_MS);
  });
});
