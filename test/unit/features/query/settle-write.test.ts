// What the sender of a statement that may have written is told, where its engine did not answer well.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { app } from "../../../../src/app.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { callWith, post } from "../../../support/unit/call-with.ts";
import { rowsOf, type TestLake } from "../../../support/unit/lake.ts";
import { beginWriting, catalogEnding, writingEngine, type Ending } from "../../../support/unit/query/writing-engine.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

type Work = (statement: StatementRequest) => Promise<Ending>;
const ask = async (
  work: Work,
  { id, sql = "CREATE SCHEMA s", key = team.admin.key, ...headers }: Record<string, string> = {},
  more = {},
) =>
  callWith({ ...writingEngine(work), ...more }, "POST", "/v1/query", {
    key,
    body: { sql },
    headers: { ...headers, ...(id ? { "x-request-id": id } : {}) },
  });

let schemas = 0;
const commits =
  (ending: Ending): Work =>
  async (statement) => {
    expect(await (await beginWriting(statement))!.commit(`s${++schemas}`)).toBe(200);
    return ending;
  };
const begins =
  (ending: Ending): Work =>
  async (statement) => {
    await beginWriting(statement, { schema: "main", name: "t" });
    return ending;
  };

const lakeOf = async (): Promise<TestLake> => {
  const { body } = await callWith({}, "GET", "/v1/api/integrations?type=lake", { key: team.admin.key });
  const lakeId: string = body.data[0].id;
  return { teamId: team.id, lakeId, catalog: openLake(env, lakeId) };
};
const leasesHeld = async () =>
  (
    await rowsOf(
      await lakeOf(),
      "SELECT 1 FROM fjord_leases WHERE name LIKE 'statement/%' AND holder IS NOT NULL AND table_name IS NOT NULL",
    )
  ).length;

const silentCatalog = catalogEnding(() => Promise.reject(new Error("The catalog is away.")));

describe("a statement that was committed, and whose answer was lost", () => {
  it.each(["lost", "internal", "platform_unavailable", "deadline_exceeded", "cancelled"] as const)(
    "is answered as written where its engine ends as %s, by the id that it has",
    async (ending) => {
      const { status, body } = await ask(commits(ending));
      const { snapshotId } = await (await lakeOf()).catalog.currentSnapshot();
      expect([status, body.error.code, body.error.retryable]).toEqual([409, "write_committed", false]);
      expect(body.message).toBe(
        `The request of the X-Request-Id ${body.meta.requestId} wrote snapshot ${snapshotId}. Send another id to do it again.`,
      );
    },
  );

  it("is answered alike where it is sent again under its id", async () => {
    const id = crypto.randomUUID();
    const first = await ask(commits("lost"), { id });
    const second = await ask(async (statement) => ((await beginWriting(statement)) ? "internal" : "conflict"), { id });
    expect([second.status, second.body.error.code, second.body.message]).toEqual([
      409,
      "write_committed",
      first.body.message,
    ]);
  });
});

describe("a statement that is sent again while it runs", () => {
  it.each([
    ["can be asked", {}],
    ["can't be asked", silentCatalog],
  ])(
    "may be sent once more under its id, and says nothing of what it writes, where the catalog %s",
    async (_, more) => {
      const first = Promise.withResolvers<{ commit(schema: string): Promise<number> }>();
      const mayCommit = Promise.withResolvers<void>();
      const id = crypto.randomUUID();
      const sent = ask(
        async (statement) => {
          const begun = (await beginWriting(statement))!;
          first.resolve(begun);
          await mayCommit.promise;
          return "lost";
        },
        { id },
      );
      const { commit } = await first.promise;
      const { status, body } = await ask(async () => "id_running", { id }, more);
      expect([status, body.error.code, body.error.retryable]).toEqual([409, "work_in_progress", true]);
      expect(body.message).not.toContain("Nothing of it was written");
      expect(await commit(`s${++schemas}`)).toBe(200);
      mayCommit.resolve();
      expect((await sent).body.error.code).toBe("write_committed");
    },
  );
});

describe("a statement that is sent again, and whose second sending is lost", () => {
  const id = () => crypto.randomUUID();

  it("may be written yet where the first has begun, and says so", async () => {
    const headers = { id: id() };
    const [begun, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sent = ask(async (statement) => {
      const { commit } = (await beginWriting(statement))!;
      begun.resolve();
      await mayCommit.promise;
      expect(await commit(`s${++schemas}`)).toBe(200);
      return "lost";
    }, headers);
    await begun.promise;
    const { status, body } = await ask(async () => "lost", headers);
    expect([status, body.error.code, body.error.retryable]).toEqual([409, "work_in_progress", true]);
    expect(body.message).not.toContain("Nothing of it was written");
    mayCommit.resolve();
    expect((await sent).body.error.code).toBe("write_committed");
  });

  it("is not written by the first either where that has not begun", async () => {
    const headers = { id: id() };
    const [arrived, mayBegin] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sent = ask(async (statement) => {
      arrived.resolve();
      await mayBegin.promise;
      return (await beginWriting(statement)) ? "answered" : "conflict";
    }, headers);
    await arrived.promise;
    expect((await ask(async () => "lost", headers)).body.message).toMatch(/Nothing of it was written\.$/);
    mayBegin.resolve();
    expect((await sent).status).toBe(409);
    expect((await ask(commits("lost"), headers)).body.error.code).toBe("write_committed");
  });
});

describe("a statement that is refused", () => {
  it.each([
    ["no name", {}],
    ["a name", { "x-request-id": crypto.randomUUID() }],
  ])("is answered while its lake is silent, where its request has %s", async (_, named) => {
    const released = Promise.withResolvers<void>();
    let asked = 0;
    const silent = catalogEnding(async () => {
      asked++;
      await released.promise;
      return "unwritten";
    });
    const context = createExecutionContext();
    const request = new Request("https://fjord.test/v1/query", {
      method: "POST",
      headers: { authorization: `Bearer ${team.admin.key}`, "content-type": "application/json", ...named },
      body: JSON.stringify({ sql: "CREATE SCHEMA s" }),
    });
    const bindings = { ...env, ...writingEngine(async () => "sql_error"), ...silent };
    expect((await app.fetch(request, bindings, context)).status).toBe(400);
    expect(asked).toBe(1);
    released.resolve();
    await waitOnExecutionContext(context);
  });
});

describe("a statement that wrote nothing", () => {
  it.each([
    ["lost", 503, true],
    ["platform_unavailable", 503, true],
    ["deadline_exceeded", 408, false],
    ["cancelled", 499, false],
  ] as const)("says so where it ends as %s, and never writes any more", async (ending, expected, retryable) => {
    let late: (() => Promise<number>) | undefined;
    const { status, body } = await ask(async (statement) => {
      const begun = await beginWriting(statement);
      late = () => begun!.commit("late");
      return ending;
    });
    expect([status, body.error.retryable, body.message]).toEqual([
      expected,
      retryable,
      expect.stringMatching(/Nothing of it was written\.$/),
    ]);
    expect(await late!()).toBe(409);
  });

  it("may be sent again under its id, and then writes once", async () => {
    const id = crypto.randomUUID();
    expect((await ask(begins("lost"), { id })).status).toBe(503);
    expect((await ask(commits("lost"), { id })).body.error.code).toBe("write_committed");
  });

  it.each(["sql_error", "lost", "cancelled"] as const)(
    "holds its table no longer where it ends as %s",
    async (ending) => {
      await ask(begins(ending));
      expect(await leasesHeld()).toBe(0);
    },
  );

  it("is told what is wrong with it, and no more", async () => {
    expect((await ask(begins("sql_error"))).body).toMatchObject({ message: "As asked.", error: { status: 400 } });
  });

  it("may be one that reads: sent by who may not write it may be sent again as before", async () => {
    const sql = "SELECT 1";
    const { body } = await ask(async () => "lost", { sql, key: team.member.key });
    expect([body.error.retryable, body.message]).toEqual([
      true,
      "The engine stopped while it worked on this. Try again.",
    ]);
    const own = (await ask(async () => "lost", { sql })).body;
    expect([own.error.retryable, own.message]).toEqual([true, `${body.message} Nothing of it was written.`]);
  });

  it.each(["deadline_exceeded", "internal", "sql_error"] as const)(
    "is not asked for where its engine says that it only reads, and fails as %s",
    async (code) => {
      let asked = 0;
      const counting = catalogEnding(async () => ++asked);
      const { body } = await ask(async () => ({ code, message: "As asked.", isRead: true }), {}, counting);
      expect([asked, body.error.code === "write_committed", body.message.includes("written")]).toEqual([
        0,
        false,
        false,
      ]);
    },
  );
});

describe("a statement that nobody waits for", () => {
  const prefer = { prefer: "respond-async" };
  const get = (id: string, bindings: object) =>
    callWith(bindings, "GET", `/v1/query/${id}`, { key: team.admin.key }).then(({ status, body }) => [
      status,
      body.error?.code,
    ]);

  it("has written where its engine was lost after the commit, and not where before", async () => {
    for (const [work, status, code] of [
      [commits, 409, "write_committed"],
      [begins, 503, "engine_unavailable"],
    ] as const) {
      const bindings = writingEngine(work("answered"));
      const sent = await ask(work("answered"), prefer);
      expect(sent.status).toBe(202);
      expect(await get(sent.body.request_id, bindings)).toEqual([status, code]);
      expect(await leasesHeld()).toBe(0);
    }
  });

  it("goes on for whoever asks while its outcome is not known", async () => {
    const bindings = writingEngine(commits("answered"));
    const { body } = await ask(commits("answered"), prefer);
    expect(await get(body.request_id, { ...bindings, ...silentCatalog })).toEqual([202, undefined]);
    expect(await get(body.request_id, bindings)).toEqual([409, "write_committed"]);
  });

  it("has written where its engine says that it failed after the commit, or is lost as it begins", async () => {
    const { body } = await ask(commits("answered"), prefer);
    const failure = { code: "platform_unavailable", message: "Its result could not be stored." };
    await post(`/queries/${body.request_id}/finish`, {
      token: {
        use: "query",
        teamId: team.id,
        queryId: body.request_id,
        createdAt: body.created_at,
        expiresAt: Date.now() + 60_000,
      },
      body: { outcome: "failed", failure },
    });
    expect(await get(body.request_id, {})).toEqual([409, "write_committed"]);
    const lost = await ask(commits("lost"), prefer);
    expect([lost.status, lost.body.error.code]).toEqual([409, "write_committed"]);
  });

  it("has written where it is cancelled after its engine was lost", async () => {
    const bindings = writingEngine(commits("answered"));
    const { body } = await ask(commits("answered"), prefer);
    const cancelled = await callWith(bindings, "DELETE", `/v1/query/${body.request_id}`, { key: team.admin.key });
    expect(cancelled.status).toBe(204);
    expect(await get(body.request_id, bindings)).toEqual([409, "write_committed"]);
  });
});

describe("a statement of which nobody knows whether it wrote", () => {
  it("is not to be sent again but under its id, which it names", async () => {
    const { status, body } = await ask(commits("lost"), {}, silentCatalog);
    expect([status, body.error.code, body.error.retryable]).toEqual([500, "write_outcome_unknown", false]);
    expect(body.message).toContain(`X-Request-Id ${body.meta.requestId}`);
  });

  it("is known where its engine said what is wrong with it", async () => {
    expect((await ask(begins("sql_error"), {}, silentCatalog)).body.error.code).toBe("query_failed");
  });
});
