// What a statement on the lake will read is asked of the engine within the caller's access, and never of a source.

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { EstimateRequest, type ReadEstimate } from "../../../../kernel/wire/engine.ts";
import { ENGINE_FAILURES, type EngineFailureCode } from "../../../../kernel/wire/failures.ts";
import { LIMITS } from "../../../../src/core/limits.ts";
import { QUERY_LIMITS } from "../../../../src/features/query/limits.ts";
import { forgetCallers } from "../../../../src/features/teams/keys/find-caller.ts";
import { readToken } from "../../../../src/platform/crypto/token.ts";
import { env } from "cloudflare:workers";
import { callWith } from "../../../support/unit/call-with.ts";
import { addLake, addRole } from "../../../support/unit/data-access/roles.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/query/estimate";
const SQL = "SELECT * FROM LAKE.main.t WHERE id = $id";

refusesStrangers("estimateQuery", (key) => call("POST", PATH, { key, body: { sql: "select 1" } }), { right: "query" });

let team: TestTeam;
let lakeId: string;
let sent: EstimateRequest[];
let answer: ReadEstimate | { code: EngineFailureCode; message: string; position?: number };
beforeAll(async () => {
  team = await newTeam();
  lakeId = await addLake(team);
});
beforeEach(() => {
  sent = [];
  answer = { tables: [], readsDrive: false, writes: false };
});

const engine = {
  fetch: async (...request: ConstructorParameters<typeof Request>) => {
    const asked = new Request(...request);
    expect(new URL(asked.url).pathname).toBe("/estimates");
    sent.push(EstimateRequest.parse(await asked.json()));
    const status = "code" in answer ? ENGINE_FAILURES[answer.code] : 200;
    return Response.json(answer, { status, headers: { [ENGINE_HEADER]: String(PROTOCOL) } });
  },
  askRunning: async () => undefined,
};

const estimate = (body: object, key = team.member.key) =>
  callWith({ ENGINE: { getByName: () => engine } } as never, "POST", PATH, { key, body });

describe("estimateQuery", () => {
  const FIGURES = { files: 2, filesTotal: 9, bytes: 100, bytesTotal: 900 };

  it("answers each table's figures, and those of all that have some", async () => {
    const table = { schema: "main", name: "t", at: null };
    const tables = [
      { ...table, figures: FIGURES },
      { ...table, name: "part", figures: null },
      { ...table, at: "4", figures: { files: 1, filesTotal: 1, bytes: 5, bytesTotal: 7 } },
    ];
    answer = { tables, readsDrive: true, writes: false };
    expect(await estimate({ sql: SQL, parameters: { id: 7 }, integration_id: lakeId })).toMatchObject({
      status: 200,
      body: {
        success: true,
        tables,
        total: { files: 3, filesTotal: 10, bytes: 105, bytesTotal: 907 },
        readsDrive: true,
        writes: false,
        refusal: null,
      },
    });
    expect(sent).toMatchObject([
      { sql: SQL, sender: team.member.id, parameters: { id: { type: "integer", values: ["7"] } }, lake: { lakeId } },
    ]);
  });

  it("asks with a token that reads as its caller does, and writes nothing", async () => {
    await estimate({ sql: SQL }, team.admin.key);
    const bound = await newTeam();
    const ownLake = await addLake(bound);
    await addRole(bound, [{ integration_id: ownLake, schema: "main" }], [bound.member.id]);
    await estimate({ sql: SQL }, bound.member.key);
    const tokens = await Promise.all(sent.map(({ lake }) => readToken(env, "lake", lake.token, new Date())));
    expect(tokens).toMatchObject([
      { use: "lake", reader: "everything" },
      { use: "lake", reader: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    ]);
    for (const token of tokens) expect(token).not.toHaveProperty("writes");
  });

  it("says of a statement that writes whether its caller may", async () => {
    answer = { tables: [], readsDrive: false, writes: true };
    const insert = (key: string) => estimate({ sql: "INSERT INTO t VALUES (1)" }, key);
    expect(await insert(team.admin.key)).toMatchObject({ status: 200, body: { writes: true, refusal: null } });
    expect(await insert(team.member.key)).toMatchObject({
      status: 200,
      body: { writes: true, refusal: { message: "Writing to the lake needs the right lake:write.", flaws: [] } },
    });
  });

  it("waits no longer than its caller, and than the limit", async () => {
    await estimate({ sql: SQL, timeout_ms: 50 });
    await estimate({ sql: SQL, timeout_ms: LIMITS.queryDeadlineMsMax });
    await estimate({ sql: SQL });
    expect(sent.map(({ deadlineMs }) => deadlineMs)).toEqual([50, QUERY_LIMITS.estimateMs, QUERY_LIMITS.estimateMs]);
    answer = { code: "deadline_exceeded", message: "The statement did not end within its 20 s." };
    expect(await estimate({ sql: SQL })).toMatchObject({ status: 408, body: { error: { code: "query_timeout" } } });
  });

  it("knows nothing of another team's lake", async () => {
    const other = await newTeam();
    const foreign = await addLake(other);
    expect(await estimate({ sql: SQL, integration_id: foreign })).toMatchObject({ status: 404 });
    expect(sent).toEqual([]);
  });

  it("says where a statement is wrong", async () => {
    answer = { code: "sql_error", message: "There is no such table.", position: 4 };
    expect(await estimate({ sql: "ab\nx" })).toMatchObject({
      status: 200,
      body: {
        tables: [],
        refusal: {
          message: expect.stringContaining("There is no such table.") as string,
          flaws: [{ line: 2, column: 1 }],
        },
      },
    });
  });

  it("fails where the engine does, of which the statement is no cause", async () => {
    answer = { code: "process_killed", message: "The process ended." };
    expect(await estimate({ sql: "select 1" })).toMatchObject({
      status: 503,
      body: { error: { code: "engine_unavailable" } },
    });
  });

  it("tells of connected databases and of semantic queries that nothing is known", async () => {
    const postgres = await addPostgres(team);
    expect(await estimate({ sql: "select 1", integration_id: postgres })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/integration_id" }] } },
    });
    expect(await estimate({ cube_query: { measures: ["a.b"] } })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/cube_query" }] } },
    });
    expect(sent).toEqual([]);
  });

  it("counts as no query of the month", async () => {
    const free = await newTeam();
    await env.DB.prepare("update teams set plan = 'free' where id = ?").bind(free.id).run();
    forgetCallers(({ teamId }) => teamId === free.id);
    const used = async () => (await call("GET", "/v4/usage", { key: free.admin.key })).body.data.month.queries.used;
    expect(await estimate({ sql: SQL }, free.member.key)).toMatchObject({ status: 200 });
    expect(await used()).toBe(0);
    await call("POST", "/v1/query", { key: free.member.key, body: { sql: "select 1" } });
    expect(await used()).toBe(1);
  });
});
