// A statement whose result the engine has kept, from the caller's side.

import { createExecutionContext, runDurableObjectAlarm, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { app } from "../../../../src/app.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

/** How often, so far. */
let asked = 0;

/** Asks an engine that says what it says of its cache. */
async function ask(body: object, reported: Record<string, string> = {}) {
  asked++;
  const sent: StatementRequest[] = [];
  const fetch = async (...request: ConstructorParameters<typeof Request>) => {
    sent.push(StatementRequest.parse(await new Request(...request).json()));
    const headers = { [ENGINE_HEADER]: String(PROTOCOL), "content-type": "text/csv", ...reported };
    return new Response("one\r\n1\r\n", { headers });
  };
  const ENGINE = { getByName: () => ({ fetch, askOfStatement: async () => undefined }) };
  const request = new Request("https://fjord.test/v1/query", {
    method: "POST",
    headers: {
      authorization: `Bearer ${team.member.key}`,
      "content-type": "application/json",
      origin: "https://app.test",
    },
    body: JSON.stringify({ sql: "SELECT 1 AS one", ...body }),
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, { ...env, ENGINE } as unknown as Env, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  return { statement: sent[0]!, response, text };
}

describe("runQuery", () => {
  it("passes on that a result was kept, and how old it is; nobody else is to keep it", async () => {
    const { response, text } = await ask({}, { "cache-status": "Fjord; hit", age: "12", "x-other": "no" });
    expect([response.status, text]).toEqual([200, "one\r\n1\r\n"]);
    const { headers } = response;
    expect([headers.get("cache-status"), headers.get("age")]).toEqual(["Fjord; hit", "12"]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-expose-headers")).toContain("Age, Cache-Status");
    expect(headers.get("x-other")).toBeNull();
  });

  it("says nothing of it where the engine does not", async () => {
    const { response } = await ask({});
    expect([response.headers.get("cache-status"), response.headers.get("age")]).toEqual([null, null]);
  });

  it("tells the engine what is not to be kept, and what is to run", async () => {
    const said = async (body: object) => {
      const { persist, invalidate } = (await ask(body)).statement;
      return { persist, invalidate };
    };
    expect(await said({})).toEqual({ persist: undefined, invalidate: undefined });
    expect(await said({ persist: true, invalidate: false })).toEqual({ persist: undefined, invalidate: undefined });
    expect(await said({ persist: false, invalidate: true })).toEqual({ persist: false, invalidate: true });
  });

  it("gives every statement an id of its own and one scope to equal rights, whoever asks", async () => {
    const statements = [(await ask({})).statement, (await ask({})).statement];
    expect(new Set(statements.map(({ id }) => id)).size).toBe(2);
    const readers = statements.map(({ target }) => (target.kind === "lake" ? target.lake.reader : undefined));
    expect(readers).toEqual([expect.any(String), readers[0]]);
  });

  it("counts a result that was kept like one that was not", async () => {
    const counted = async (): Promise<number> => {
      await runDurableObjectAlarm(env.METER.getByName(team.id));
      const rows = env.DB.prepare(
        "select sum(count) n from event_rollups where team_id = ? and span_minutes = 1 and type = 'query'",
      ).bind(team.id);
      return (await rows.first<number>("n")) ?? 0;
    };
    for (let i = 0; i < 3; i++) await ask({}, { "cache-status": "Fjord; hit", age: "1" });
    await vi.waitUntil(async () => (await counted()) >= asked, { timeout: 60_000, interval: 200 });
    expect(await counted()).toBe(asked);
  });
});
