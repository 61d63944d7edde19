// Pages of a statement of Trino's clients that still runs: its rows so far, from its engine, never as if they were all.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { TRINO_LIMITS } from "../../../../src/features/trino/limits.ts";
import { ASYNC_QUERY_LIMITS } from "../../../../src/features/query/async/limits.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { patientEngine, reportEnd, storeResult } from "../../../support/unit/query/async-queries.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

type Page = { id: string; nextUri: string };

let team: TestTeam;
let engine: ReturnType<typeof patientEngine>;
beforeEach(async () => {
  team = await newTeam();
  engine = patientEngine();
});

const headers = { "content-type": "text/plain", "x-trino-catalog": "lake" };
async function begin(key = team.admin.key): Promise<Page> {
  const { body } = await callWith(engine.bindings, "POST", "/v1/statement", { key, raw: "SELECT 1 AS a", headers });
  expect(body.error).toBeUndefined();
  return body;
}
const look = async ({ nextUri }: Page, key = team.admin.key) =>
  callWith(engine.bindings, "GET", new URL(nextUri).pathname, { key });
const has = ({ id }: Page, text: string, isWhole = false) => void engine.rows.set(id, { text, isWhole });

describe("a page of a statement that runs", () => {
  it("has whole rows alone, and the next has those behind them, once", async () => {
    const first = await begin();
    has(first, "[1],\n[2],\n[3");
    const { body: one } = await look(first);
    expect([one.data, one.stats.state]).toEqual([[[1], [2]], "RUNNING"]);
    expect(one.columns).toMatchObject([{ name: "a" }]);
    has(first, "[1],\n[2],\n[34],\n", true);
    const { body: two } = await look(one);
    expect([two.data, two.stats.state, two.nextUri]).toEqual([[[34]], "FINISHED", undefined]);
  });

  it("has the same rows when it is fetched again, also from what is stored", async () => {
    const first = await begin();
    has(first, "[1],\n[2],\n[3");
    const { body: one } = await look(first);
    expect((await look(first)).body.data).toEqual([[1], [2]]);
    engine.rows.clear();
    await storeResult(engine, team, first.id, "[1],\n[2],\n[34],\n");
    expect((await look(first)).body.data.slice(0, 2)).toEqual([[1], [2]]);
    expect((await look(one)).body).toMatchObject({ data: [[34]], stats: { state: "FINISHED" } });
  });

  it("says that there are none yet, and never that these are all", async () => {
    const first = await begin();
    for (const text of ["", "[1"]) {
      has(first, text);
      const { body } = await look(first);
      expect([body.data, body.stats.state]).toEqual([undefined, "RUNNING"]);
      has(first, "[1],\n");
      expect((await look(body)).body).toMatchObject({ data: [[1]], stats: { state: "RUNNING" } });
    }
  });

  it("is the failure where the statement has failed behind its rows", async () => {
    const first = await begin();
    has(first, "[1],\n");
    const { body: one } = await look(first);
    engine.rows.clear();
    await reportEnd(engine, team, first.id, { outcome: "failed", failure: { code: "sql_error", message: "Late." } });
    for (const page of [one, first])
      expect((await look(page)).body).toMatchObject({ stats: { state: "FAILED" }, error: { message: "Late." } });
  });

  it("is a failure where the engine was lost behind the rows that it gave", async () => {
    const first = await begin();
    has(first, "[1],\n");
    const { body: one } = await look(first);
    engine.running.clear();
    expect((await look(one)).body).toMatchObject({ error: { errorName: "NO_NODES_AVAILABLE" } });
  });

  it("is refused where what its sender may read has changed, and is nobody else's", async () => {
    const { key, id } = await team.newMember("member");
    const first = await begin(key);
    has(first, "[1],\n[2],\n");
    expect((await look(first, key)).body.data).toEqual([[1], [2]]);
    expect((await look(first)).status).toBe(404);
    await addRole(team, [{ integration_id: "*", schema: "elsewhere" }], [id]);
    expect((await look(first, key)).body.error).toMatchObject({ errorName: "PERMISSION_DENIED" });
  });

  it("has a row that is longer than a page", async () => {
    const first = await begin();
    const long = `["${"x".repeat(TRINO_LIMITS.pageBytes)}"],\n`;
    has(first, `${long}[1],\n`, true);
    const { body } = await look(first);
    expect([body.data.length, body.stats.state]).toEqual([2, "FINISHED"]);
  });

  it("is none where the statement was cancelled", async () => {
    const first = await begin();
    has(first, "[1],\n");
    const path = new URL(first.nextUri).pathname;
    expect((await callWith(engine.bindings, "DELETE", path, { key: team.admin.key })).status).toBe(204);
    await reportEnd(engine, team, first.id, { outcome: "failed", failure: { code: "cancelled", message: "It was." } });
    expect((await look(first)).body.error).toMatchObject({ errorName: "USER_CANCELED" });
  });
});

describe("a stored result", () => {
  it("of an earlier release is no page, rather than one that is wrong", async () => {
    const first = await begin();
    await storeResult(engine, team, first.id, '{"r":[1]}\n');
    expect((await look(first)).body.error).toMatchObject({ errorName: "NO_NODES_AVAILABLE" });
  });

  it("is kept for longer by who reads it, written once for the pages of a minute", async () => {
    const first = await begin();
    await storeResult(engine, team, first.id, "[1],\n");
    const endOf = () =>
      env.DB.prepare("select ended_at from async_queries where id = ?").bind(first.id).first("ended_at");
    await look(first);
    const kept = (await endOf()) as string;
    const keptMs = ASYNC_QUERY_LIMITS.followedResultMs - ASYNC_QUERY_LIMITS.repeatedQueryResultMs;
    expect(Date.parse(kept)).toBeGreaterThan(Date.now() + keptMs);
    await look(first);
    expect(await endOf()).toBe(kept);
  });
});
