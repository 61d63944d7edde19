// The first answer to a statement of Trino's clients that reads: its rows where it ends soon, of which nothing is left.

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { AnsweredEnd } from "../../../../kernel/wire/statements/async-statement.ts";
import { ASYNC_QUERY_LIMITS } from "../../../../src/features/query/async/limits.ts";
import { TRINO_LIMITS } from "../../../../src/features/trino/limits.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { patientEngine, reportEnd, storeResult } from "../../../support/unit/query/async-queries.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let engine: ReturnType<typeof patientEngine>;
beforeEach(async () => {
  team = await newTeam();
  engine = patientEngine();
});

const headers = { "content-type": "text/plain", "x-trino-catalog": "lake" };
const begin = (raw = "SELECT 1 AS a", bindings: object = {}) =>
  callWith({ ...(engine.bindings as object), ...bindings } as never, "POST", "/v1/statement", {
    ...{ key: team.admin.key, raw, headers },
  });
const look = ({ nextUri }: { nextUri: string }) =>
  callWith(engine.bindings, "GET", new URL(nextUri).pathname, { key: team.admin.key });
const rowsLeft = () =>
  env.DB.prepare("select count(*) n from async_queries where team_id = ?").bind(team.id).first<number>("n");

const ended = (rows: string): AnsweredEnd => ({ outcome: { outcome: "succeeded", bytes: rows.length }, rows });
const failed = (message: string): AnsweredEnd => ({
  outcome: { outcome: "failed", failure: { code: "sql_error", message } },
  rows: "",
});

describe("a statement that ends at once", () => {
  it("is answered whole, with its columns, and leaves no query", async () => {
    engine.onSent = async () => ended("[1],\n[2],\n");
    const { status, body } = await begin();
    expect([status, body.error, body.nextUri]).toEqual([200, undefined, undefined]);
    expect(body).toMatchObject({ stats: { state: "FINISHED" }, columns: [{ name: "a", type: "integer" }] });
    expect(body.data).toEqual([[1], [2]]);
    // Clients find the statement's id there.
    expect(body.infoUri).toContain(body.id);
    expect(await rowsLeft()).toBe(0);
  });

  it("without rows is answered whole", async () => {
    engine.onSent = async () => ended("");
    const { body } = await begin();
    expect([body.stats.state, body.data, body.nextUri]).toEqual(["FINISHED", undefined, undefined]);
  });

  it("with a failure is answered with the failure, and leaves no query", async () => {
    engine.onSent = async () => failed("Division by zero!");
    const { body } = await begin();
    expect(body).toMatchObject({ stats: { state: "FAILED" }, error: { message: "Division by zero!" } });
    expect(body.error).not.toHaveProperty("errorLocation");
    expect(await rowsLeft()).toBe(0);
  });

  it("is asked of the engine as one that reads, of bounded rows, and whose text its sender never saw", async () => {
    engine.onSent = async () => ended("[1],\n");
    await begin();
    expect(engine.sent[0]).toMatchObject({
      answeredBytesMax: ASYNC_QUERY_LIMITS.trinoAnsweredBytes,
      waitMs: TRINO_LIMITS.firstWaitMs,
      statement: { isTranslated: true, isLists: true, target: { lake: { isReadOnly: true } } },
    });
  });
});

describe("a statement that goes on", () => {
  it("has a query from the first answer on, whose rows are stored", async () => {
    const { body } = await begin();
    expect([body.stats.state, body.data]).toEqual(["RUNNING", undefined]);
    expect(await rowsLeft()).toBe(1);
    await storeResult(engine, team, body.id, "[1],\n");
    const [once, again] = [await look(body), await look(body)];
    expect([once.body.data, again.body.data, once.body.stats.state]).toEqual([[[1]], [[1]], "FINISHED"]);
  });

  it("may end before its query is there, and its engine is heard all the same", async () => {
    let reported: Promise<number> | undefined;
    engine.onSent = async ({ statement: { id }, token }) => {
      const { createdAt } = JSON.parse(atob(token.split(".")[0]!.replaceAll("-", "+").replaceAll("_", "/")));
      const failure = { code: "sql_error", message: "It failed." } as const;
      reported = reportEnd(engine, team, id, { createdAt, outcome: "failed", failure });
      return false;
    };
    const { body } = await begin();
    expect(await reported).toBe(204);
    expect((await look(body)).body.error).toMatchObject({ message: "It failed." });
  });

  it("is cancelled where its query can't be kept", async () => {
    const broken = new Proxy(env.DB, {
      get: (db, name) =>
        name === "prepare"
          ? (sql: string) => {
              if (/insert into .async_queries/i.test(sql)) throw new Error("The database is away.");
              return db.prepare(sql);
            }
          : Reflect.get(db, name).bind?.(db),
    });
    const { status } = await begin("SELECT 1", { DB: broken });
    expect(status).toBe(500);
    expect(engine.asked.filter((each) => each.startsWith("DELETE"))).toHaveLength(1);
    expect(engine.running.size).toBe(0);
  });

  it("fails where its engine is lost before it answers", async () => {
    engine.onSent = async () => Promise.reject(new Error("The connection broke."));
    const { body } = await begin();
    expect(body.error).toMatchObject({ errorName: "NO_NODES_AVAILABLE" });
    expect([await rowsLeft(), engine.running.size]).toEqual([0, 0]);
  });
});
