import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../../../src/features/samples/sample.ts";
import { newId } from "../../../../src/core/ids.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { integrations } from "../../../../src/platform/db/schema/schema.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { append, createTable, newWriter } from "../../../support/unit/lake.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const pathOf = (id: string) => `/v1/api/integrations/${id}/sample`;

async function lakeOf({ id: teamId, admin: { key } }: TestTeam) {
  const { body } = await call("GET", "/v1/api/integrations?type=lake", { key });
  const lakeId: string = JSON.stringify(body).match(/[0-9a-f]{8}-[0-9a-f-]{27}/)![0];
  return { teamId, lakeId, catalog: openLake(env as Env, lakeId) };
}

/** Asks until the sample is as it should be; a load settles within seconds. */
async function poll(id: string, key: string, isDone: (sample: { status: string; error: string | null }) => boolean) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const { body } = await call("GET", pathOf(id), { key });
    if (isDone(body.sample)) return body.sample;
    await scheduler.wait(100);
  }
  throw new Error("The sample did not settle.");
}

refusesStrangers("loadSample", async (key) => call("POST", pathOf((await lakeOf(await newTeam())).lakeId), { key }), {
  right: "integrations:write",
});
refusesStrangers("getSample", async (key) => call("GET", pathOf((await lakeOf(await newTeam())).lakeId), { key }), {
  right: "integrations:read",
});

describe("the sample", () => {
  it("is of the team's own lakes: another's, and what is none, are not found", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    for (const id of [(await lakeOf(other)).lakeId, newId(), "sample"]) {
      for (const method of ["GET", "POST"]) {
        expect(await call(method, pathOf(id), { key: team.admin.key })).toMatchObject({
          status: 404,
          body: { error: { code: "resource_not_found" } },
        });
      }
    }
  });

  it("shows whom roles bind the tables that they may read whole, and otherwise as if there were none", async () => {
    const team = await newTeam();
    const lake = await lakeOf(team);
    const writer = await newWriter(lake);
    for (const name of ["orders", "people"])
      await writer.commit([createTable("sample", name), append("sample", name, writer.file("sample", name, 7))]);
    const seen = async () => (await call("GET", pathOf(lake.lakeId), { key: team.member.key })).body.sample;
    expect((await seen()).tables).toHaveLength(2);
    await addRole(team, [{ integration_id: "*", schema: "main" }], [team.member.id]);
    expect(await seen()).toEqual({ status: "absent", tables: [], jobId: null, error: null });
    const filters = [{ member: "id", operator: "set" as const }];
    await addRole(
      team,
      [
        { integration_id: "*", schema: "sample", table: "orders" },
        { integration_id: "*", schema: "sample", table: "people", filters },
      ],
      [team.member.id],
    );
    expect(await seen()).toMatchObject({ status: "loaded", tables: [{ name: "orders", rows: 7 }] });
  });

  it("of an integration that is no lake is refused", async () => {
    const team = await newTeam();
    const at = new Date().toISOString();
    const row = {
      id: newId(),
      teamId: team.id,
      type: "postgres",
      name: "shop",
      isDefault: false,
      details: {},
      createdAt: at,
      updatedAt: at,
    };
    await openDb(env.DB).insert(integrations).values(row);
    expect(await call("POST", pathOf(row.id), { key: team.admin.key })).toMatchObject({
      status: 422,
      body: { error: { code: "validation_failed" } },
    });
  });

  it("that is there is told with its rows, and not loaded again", async () => {
    const team = await newTeam();
    const lake = await lakeOf(team);
    const writer = await newWriter(lake);
    await writer.commit([
      createTable("sample", "orders"),
      append("sample", "orders", writer.file("sample", "orders", 12)),
    ]);
    const sample = {
      status: "loaded",
      tables: [{ schema: "sample", name: "orders", rows: 12 }],
      jobId: null,
      error: null,
    };
    expect(await call("GET", pathOf(lake.lakeId), { key: team.member.key })).toMatchObject({
      status: 200,
      body: { success: true, sample },
    });
    expect(await call("POST", pathOf(lake.lakeId), { key: team.admin.key })).toMatchObject({
      status: 202,
      body: { success: true, sample },
    });
    expect(await lake.catalog.findHeldLease("sample")).toBeUndefined();
  });

  it("is loaded by one job however often it is asked for", async () => {
    const team = await newTeam();
    const lake = await lakeOf(team);
    await lake.catalog.acquireLease("sample", newId(), 60_000);
    const [one, two] = [
      await call("POST", pathOf(lake.lakeId), { key: team.admin.key }),
      await call("POST", pathOf(lake.lakeId), { key: team.admin.key }),
    ];
    expect(one.body.sample).toMatchObject({
      status: "loading",
      jobId: (await lake.catalog.findHeldLease("sample"))!.holder,
    });
    expect(two.body).toEqual(one.body);
  });

  // The engine here can't call back, so its load fails; that one succeeds is shown end to end.
  it("that failed to load says why, and is loaded anew when asked for again", async () => {
    const team = await newTeam();
    const { lakeId, catalog } = await lakeOf(team);
    const first = await call("POST", pathOf(lakeId), { key: team.admin.key });
    expect(first).toMatchObject({ status: 202, body: { sample: { status: "loading", tables: [], error: null } } });
    expect(first.body.sample.jobId).toBe((await catalog.findHeldLease("sample"))!.holder);
    const failed = await poll(lakeId, team.member.key, ({ error }) => error !== null);
    expect(failed).toMatchObject({ status: "absent", tables: [], jobId: null });
    const again = await call("POST", pathOf(lakeId), { key: team.admin.key });
    expect(again.body.sample).toMatchObject({ status: "loading" });
    expect(again.body.sample.jobId).not.toBe(first.body.sample.jobId);
  });
});

describe("sampleOf", () => {
  const tables = [{ schema: "sample", name: "orders", rows: 1 }];
  const job = (state: "running" | "succeeded" | "failed" | "cancelled") => ({
    jobId: "j",
    job: { state, error: state === "failed" ? "why" : null },
  });
  const unknown = { jobId: "j", job: undefined };
  it.each([
    ["nothing", [], undefined, "absent", null],
    ["tables", tables, undefined, "loaded", null],
    ["a running load", [], job("running"), "loading", null],
    ["a running load that has committed", tables, job("running"), "loading", null],
    ["a load that succeeded", tables, job("succeeded"), "loaded", null],
    ["a load that failed", [], job("failed"), "absent", "why"],
    ["a load that failed after it had committed", tables, job("failed"), "loaded", null],
    ["a load that was cancelled", [], job("cancelled"), "absent", "The load was cancelled."],
    ["a load the engine does not know", [], unknown, "loading", null],
    ["a load the engine has forgotten", tables, unknown, "loaded", null],
  ] as const)("says of %s what there is", (_, found, load, status, error) => {
    expect(sampleOf([...found], load)).toMatchObject({ status, error });
  });
});
