// What the clock does with asynchronous queries that nobody hears of.

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, describe, it } from "vitest";
import { CONTAINER_LIMITS } from "../../../../../src/platform/container/limits.ts";
import { ASYNC_QUERY_LIMITS } from "../../../../../src/features/query/async/limits.ts";
import { findQuery } from "../../../../../src/features/query/async/store.ts";
import { sweepAsyncQueries } from "../../../../../src/features/query/async/sweep.ts";
import { openClients } from "../../../../../src/clients/clients.ts";
import { statementKey } from "../../../../../src/lake/commit/statements.ts";
import { callWith } from "../../../../support/unit/call-with.ts";
import { addPostgres } from "../../../../support/unit/databases.ts";
import { patientEngine, sendAsync, storeResult } from "../../../../support/unit/query/async-queries.ts";
import { catalogEnding } from "../../../../support/unit/query/writing-engine.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

let team: TestTeam;
let engine: ReturnType<typeof patientEngine>;
beforeAll(async () => void (team = await newTeam()));
beforeEach(() => void (engine = patientEngine()));

const WRITE = { sql: "CREATE SCHEMA s", timeout_ms: 1_000 };
/** Sends one as the admin and answers its id. */
async function send(body: object, id: string = crypto.randomUUID()): Promise<string> {
  const { status, body: answer } = await sendAsync(engine, team.admin.key, { body, id });
  expect(status, answer.message).toBe(202);
  return id;
}
const bindings = (more: object = {}): object => ({ ...(engine.bindings as object), ...more });
const get = (id: string, more = {}) => callWith(bindings(more), "GET", `/v1/query/${id}`, { key: team.admin.key });
const sweep = (at: number, more = {}) =>
  sweepAsyncQueries(openClients({ ...env, ...bindings(more) } as Env), new Date(at));
/** After the deadline of a query that was sent now with a timeout of a second. */
const afterDeadline = (ms: number): number => Date.now() + CONTAINER_LIMITS.startMs + 1_000 + ms + 10_000;
const isEnded = async (id: string) => (await findQuery(openClients(env as Env).db, team.id, id))!.endedAt !== null;

describe("sweepAsyncQueries", () => {
  it("ends what nobody heard of, and forgets what ended a day ago, with its result", async () => {
    const body = { integration_id: await addPostgres(team) };
    const [overdue, done] = [await send({ ...body, timeout_ms: 1_000 }), await send(body)];
    await storeResult(engine, team, done, "{}");
    const now = Date.now();
    await sweep(afterDeadline(ASYNC_QUERY_LIMITS.graceMs));
    expect((await get(overdue)).body.error.code).toBe("engine_unavailable");
    expect(engine.asked).toContain(`DELETE /statements/${overdue}`);
    await sweep(now + ASYNC_QUERY_LIMITS.keptMs - 10_000);
    expect(await env.BUCKET.head(`${team.id}/queries/${done}`)).not.toBeNull();
    await sweep(now + 2 * ASYNC_QUERY_LIMITS.keptMs);
    expect([(await get(done)).status, (await get(overdue)).status]).toEqual([404, 404]);
    expect(await env.BUCKET.head(`${team.id}/queries/${done}`)).toBeNull();
  });

  it("ends the others while the lake of one does not answer", async () => {
    const [silent, other] = [await send(WRITE), await send(WRITE)];
    const released = Promise.withResolvers<void>();
    const catalog = catalogEnding(async ({ key }) => {
      if (key === statementKey(silent)) await released.promise;
      return "unwritten";
    });
    const sweeping = sweep(afterDeadline(ASYNC_QUERY_LIMITS.graceMs), catalog);
    await expect.poll(() => isEnded(other), { timeout: 8_000 }).toBe(true);
    expect(await isEnded(silent)).toBe(false);
    released.resolve();
    await sweeping;
    expect(await isEnded(silent)).toBe(true);
  });

  it("ends a write as not known whose lake could not say for too long, which may be sent again", async () => {
    const id = await send(WRITE);
    const away = catalogEnding(() => Promise.reject(new Error("The catalog is away.")));
    await sweep(afterDeadline(ASYNC_QUERY_LIMITS.graceMs), away);
    expect((await get(id, away)).status).toBe(202);
    await sweep(afterDeadline(ASYNC_QUERY_LIMITS.writeSettledMs), away);
    const { status, body } = await get(id);
    expect([status, body.error.code]).toEqual([500, "write_outcome_unknown"]);
    expect(body.message).toContain(`Send it again with the X-Request-Id ${id}`);
    await send(WRITE, id);
    expect((await get(id)).status).toBe(202);
  });

  it("makes no way for another's query under the id of one that is not known", async () => {
    const id = await send(WRITE);
    await env.DB.prepare("update async_queries set user_id = 'another', ended_at = ?, problem = ? where id = ?")
      .bind(new Date().toISOString(), JSON.stringify({ code: "write_outcome_unknown", detail: "", flaws: [] }), id)
      .run();
    expect((await sendAsync(engine, team.admin.key, { body: WRITE, id })).status).toBe(409);
  });
});
