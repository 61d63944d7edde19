// More statements than an engine takes: who comes last is told so at once, and nobody else is harmed.

import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { call, newTeam, type Answer, type Failure } from "../client.ts";

/** The number of statements that run and wait in one engine. */
const TAKEN = 64;
const SENT = TAKEN + 6;
const ENDLESS = "SELECT count(*) FROM range(1000000000) AS a (x), range(1000000000) AS b (y) WHERE (x * y) % 7 = 3";

let key: string;
beforeAll(async () => {
  ({ key } = await newTeam("Queue"));
  expect((await query("SELECT 1 AS x")).status).toBe(200);
});

const query = (sql: string, id: string = randomUUID()): Promise<Answer<Failure>> =>
  call<Failure>("POST", "/v1/query", { key, body: { sql, timeout_ms: 60_000 }, headers: { "x-request-id": id } });

it("refuses the statement that is one too many with its place and when to come again", async () => {
  const ids = Array.from({ length: SENT }, () => randomUUID());
  const refused: Answer<Failure>[] = [];
  const answers = ids.map(async (id) => {
    const answer = await query(ENDLESS, id);
    if (answer.status === 429) refused.push(answer);
    return answer.status;
  });
  await expect.poll(() => refused.length, { timeout: 50_000 }).toBe(SENT - TAKEN);
  for (const { headers, body } of refused) {
    expect(body).toMatchObject({ success: false, error: { code: "too_many_requests", status: 429, retryable: true } });
    expect(body.message).toMatch(/^64 statements run or wait, .* yours would be number 65\./);
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  }

  // Statements that run and wait go on until they are cancelled, and then there is space again.
  const deleted = await Promise.all(ids.map(async (id) => (await call("DELETE", `/v1/query/${id}`, { key })).status));
  const ends = await Promise.all(answers);
  expect(ends.filter((status) => status === 499)).toHaveLength(TAKEN);
  expect(deleted).toEqual(ends.map((status) => (status === 499 ? 204 : 404)));
  expect((await query("SELECT 1 AS x")).status).toBe(200);
});
