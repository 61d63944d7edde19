import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { createJob, JOBS, newAutomationTeam, newJob, type AutomationTeam } from "../../../support/unit/automations.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

let team: AutomationTeam;
beforeAll(async () => {
  team = await newAutomationTeam();
});

const DAILY = { cron: "30 6 * * *", timezone: "Europe/Berlin" };
const auditsOf = async (id: string) =>
  (
    await env.DB.prepare("select action from audit_events where subject_id = ? order by id")
      .bind(id)
      .all<{ action: string }>()
  ).results.map(({ action }) => action);

describe("createAutomationJob", () => {
  refusesStrangers("createAutomationJob", (key) => call("POST", JOBS, { key, body: {} }), { right: "jobs:write" });

  it("makes a job of a doc, with its defaults, planned for its next time", async () => {
    const { status, body } = await createJob(team, { schedule: DAILY, datasetKeys: ["one", "one"] });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: "Job",
      enabled: true,
      resourceType: "doc",
      resourceId: team.docId,
      datasetKeys: ["one"],
      schedule: DAILY,
      retry: { attempts: 1, backoffSeconds: 60 },
      timeoutSeconds: 21_600,
      overlap: "skip",
      lastRun: null,
      owner: { id: team.admin.id, name: "Ada" },
    });
    expect(body.data).not.toHaveProperty("kind");
    const next = new Date(body.data.nextRunAt);
    expect(next.getTime()).toBeGreaterThan(Date.now());
    expect(next.toLocaleTimeString("de", { timeZone: "Europe/Berlin" })).toBe("06:30:00");
    expect(await auditsOf(body.data.id)).toEqual(["automation_job.create"]);
  });

  it("plans nothing for one by hand, or one that is disabled", async () => {
    expect((await createJob(team)).body.data).toMatchObject({ schedule: null, nextRunAt: null });
    expect((await createJob(team, { schedule: DAILY, enabled: false })).body.data.nextRunAt).toBeNull();
  });

  it("names it after its resource, reads cron in UTC where no zone is said, and maintains in full", async () => {
    const lake = await newAutomationTeam();
    const body = {
      resourceType: "lake_integration_maintenance",
      resourceId: lake.lakeId,
      schedule: { cron: "0 3 * * 0" },
    };
    const made = (await call("POST", JOBS, { key: lake.admin.key, body })).body.data;
    expect(made).toMatchObject({ kind: "full", schedule: { timezone: "UTC" }, retry: { attempts: 3 } });
    expect(made.name).toMatch(/^Maintenance of .+ \(full\)$/);
    expect(made).not.toHaveProperty("datasetKeys");
    const doc = await call("POST", JOBS, {
      key: lake.admin.key,
      body: { resourceType: "doc", resourceId: lake.docId },
    });
    expect(doc.body.data.name).toBe("Scores");
  });

  it.each([
    ["a word", { cron: "hello", timezone: "UTC" }, "/schedule/cron"],
    ["six fields", { cron: "0 0 0 1 1 *", timezone: "UTC" }, "/schedule/cron"],
    ["a day that never comes", { cron: "0 0 31 2 *", timezone: "UTC" }, "/schedule/cron"],
    ["an unknown zone", { cron: "0 0 * * *", timezone: "Mars/Olympus" }, "/schedule/timezone"],
  ])("refuses %s as a schedule, with the reason", async (_, schedule, pointer) => {
    for (const enabled of [true, false]) {
      const { status, body } = await createJob(team, { schedule, enabled });
      expect(status).toBe(422);
      expect(body.error.flaws).toEqual([{ pointer, message: expect.stringMatching(/\w+ .+\.$/) }]);
    }
  });

  it("refuses bounds that are passed, and fields that nothing knows", async () => {
    const wrong = [
      { retry: { attempts: 0 } },
      { retry: { attempts: 11 } },
      { retry: { backoffSeconds: 0 } },
      { timeoutSeconds: 9 },
      { timeoutSeconds: 86_401 },
      { overlap: "pile" },
      { name: " " },
      { kind: "full" },
      { resourceType: "dashboard" },
      { resourceId: "x" },
    ];
    for (const fields of wrong) expect([fields, (await createJob(team, fields)).status]).toEqual([fields, 422]);
  });

  it("refuses datasets that the doc does not have", async () => {
    const { status, body } = await createJob(team, { datasetKeys: ["one", "three"] });
    expect(status).toBe(422);
    expect(body.error.flaws).toMatchObject([{ pointer: "/datasetKeys/1" }]);
  });

  it("is 404 for a resource that is missing, foreign, archived or of another type", async () => {
    const other = await newAutomationTeam();
    const archived = await newAutomationTeam();
    await call("DELETE", `/v4/docs/${archived.docId}`, { key: archived.admin.key });
    expect((await createJob(archived)).status).toBe(404);
    const maintenance = { resourceType: "lake_integration_maintenance", name: "M" };
    const missing: object[] = [
      { resourceId: crypto.randomUUID() },
      { resourceId: other.docId },
      { resourceId: team.lakeId },
      { ...maintenance, resourceId: other.lakeId },
      { ...maintenance, resourceId: team.docId },
    ];
    for (const fields of missing) expect((await createJob(team, fields)).status).toBe(404);
  });

  it("refuses a second maintenance of one lake and kind, and names the first", async () => {
    const lake = await newAutomationTeam();
    const fields = { resourceType: "lake_integration_maintenance", resourceId: lake.lakeId };
    const both = await Promise.all([createJob(lake, fields), createJob(lake, fields)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    const first = both.find(({ status }) => status === 201)!.body.data;
    const { status, body } = await createJob(lake, fields);
    expect([status, body.error.flaws[0].pointer]).toEqual([422, "/kind"]);
    expect(body.message).toContain(first.id);
    expect((await createJob(lake, { ...fields, kind: "daily" })).status).toBe(201);
  });
});

describe("listAutomationJobs", () => {
  let lists: AutomationTeam;
  let ids: string[];
  beforeAll(async () => {
    lists = await newAutomationTeam();
    const names = ["Élan vital", "Morning", "morning 2"];
    ids = [];
    for (const name of names) ids.push((await newJob(lists, { name, enabled: name !== "Morning" })).id);
  });
  const list = async (query: string) => (await call("GET", `${JOBS}${query}`, { key: lists.member.key })).body.data;
  const idsOf = async (query: string) => (await list(query)).items.map(({ id }: { id: string }) => id);

  refusesStrangers("listAutomationJobs", (key) => call("GET", JOBS, { key }), { right: "jobs:read" });

  it("is oldest first, in pages of fifty by default", async () => {
    expect(await list("")).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect(await idsOf("")).toEqual(ids);
    expect(await idsOf("?ascending=false&orderedBy=created_at")).toEqual([...ids].reverse());
    expect(await idsOf("?limit=1&offset=1")).toEqual([ids[1]]);
  });

  it("finds by a part of the name in any case of any script, however long", async () => {
    expect(await idsOf("?name=MORNING")).toEqual([ids[1], ids[2]]);
    expect(await idsOf(`?name=${encodeURIComponent("éLAN")}`)).toEqual([ids[0]]);
    expect(await idsOf("?name=%25")).toEqual([]);
    expect(await idsOf(`?name=${"x".repeat(60)}`)).toEqual([]);
  });

  it("filters by ids, by whether they are enabled, and by resource", async () => {
    expect(await idsOf(`?id=${ids[0]}&id=${ids[2]}&id=nobody`)).toEqual([ids[0], ids[2]]);
    expect(await idsOf("?enabled=false")).toEqual([ids[1]]);
    expect(await idsOf("?enabled=true")).toEqual([ids[0], ids[2]]);
    expect(await idsOf(`?resourceId=${lists.docId}`)).toHaveLength(3);
    expect(await idsOf(`?resourceId=${lists.lakeId}`)).toEqual([]);
    expect(await idsOf("?resourceType=lake_integration_maintenance")).toEqual([]);
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=x",
    "offset=-1",
    "orderedBy=name",
    "ascending=1",
    "enabled=maybe",
    "resourceId=x",
    "sort=a",
  ])("refuses %s", async (query) => {
    expect((await call("GET", `${JOBS}?${query}`, { key: lists.member.key })).status).toBe(422);
  });

  it("shows no other team's jobs", async () => {
    const { admin } = await newTeam();
    expect((await call("GET", `${JOBS}?id=${ids[0]}`, { key: admin.key })).body.data).toMatchObject({ total: 0 });
  });
});

describe("updateAutomationJob", () => {
  refusesStrangers("updateAutomationJob", (key) => call("PATCH", `${JOBS}/${crypto.randomUUID()}`, { key, body: {} }), {
    right: "jobs:write",
  });
  const patch = (id: string, body: object, key = team.admin.key) => call("PATCH", `${JOBS}/${id}`, { key, body });

  it("changes what is sent, and plans the next run anew with the schedule", async () => {
    const { id } = await newJob(team, { schedule: DAILY });
    const named = (await patch(id, { name: "Evening", retry: { attempts: 4 } })).body.data;
    expect(named).toMatchObject({ name: "Evening", schedule: DAILY, retry: { attempts: 4, backoffSeconds: 60 } });
    const hourly = (await patch(id, { schedule: { cron: "0 * * * *" } })).body.data;
    expect(Date.parse(hourly.nextRunAt) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect((await patch(id, { enabled: false })).body.data.nextRunAt).toBeNull();
    expect((await patch(id, { enabled: true })).body.data.nextRunAt).not.toBeNull();
    expect((await patch(id, { schedule: null })).body.data).toMatchObject({ schedule: null, nextRunAt: null });
    expect((await auditsOf(id)).slice(1)).toEqual(Array(5).fill("automation_job.update"));
  });

  it("leaves a time that has come to its tick, unless the schedule changes", async () => {
    const { id } = await newJob(team, { schedule: DAILY });
    const past = "2020-01-01T00:00:00.000Z";
    await env.DB.prepare("update automation_jobs set next_run_at = ? where id = ?").bind(past, id).run();
    expect((await patch(id, { name: "Other" })).body.data.nextRunAt).toBe(past);
    expect((await patch(id, { schedule: { ...DAILY, timezone: "UTC" } })).body.data.nextRunAt).not.toBe(past);
  });

  it("takes its datasets from the doc as it is, and none for a lake", async () => {
    const { id } = await newJob(team, { datasetKeys: ["one"] });
    expect((await patch(id, { datasetKeys: ["three"] })).status).toBe(422);
    expect((await patch(id, { datasetKeys: null })).body.data.datasetKeys).toBeNull();
    const lake = await newAutomationTeam();
    const made = await newJob(lake, { resourceType: "lake_integration_maintenance", resourceId: lake.lakeId });
    expect((await patch(made.id, { datasetKeys: null }, lake.admin.key)).status).toBe(422);
  });

  it("gives a job to nobody but the admin who asks", async () => {
    const { id } = await newJob(team);
    const second = await team.newMember("admin");
    expect((await patch(id, { ownerId: second.id })).status).toBe(422);
    expect((await patch(id, { ownerId: second.id }, second.key)).body.data.owner.id).toBe(second.id);
  });

  it("refuses an empty change, and what a job is about", async () => {
    const { id } = await newJob(team);
    for (const body of [
      {},
      { resourceId: team.docId },
      { kind: "daily" },
      { nextRunAt: null },
      { schedule: { cron: "x" } },
    ])
      expect((await patch(id, body)).status).toBe(422);
  });

  it("lets one of two changes at the same time through", async () => {
    const { id } = await newJob(team);
    const both = await Promise.all([patch(id, { name: "A" }), patch(id, { name: "B" })]);
    expect(both.map(({ status }) => status).sort()).toSatisfy((found: number[]) =>
      [
        [200, 200],
        [200, 409],
      ].some((wanted) => wanted.join() === found.join()),
    );
    const won = both.filter(({ status }) => status === 200).map(({ body }) => body.data.name);
    expect(won).toContain((await call("GET", `${JOBS}/${id}`, { key: team.member.key })).body.data.name);
  });
});

describe("deleteAutomationJob", () => {
  refusesStrangers("deleteAutomationJob", (key) => call("DELETE", `${JOBS}/${crypto.randomUUID()}`, { key }), {
    right: "jobs:write",
  });

  it("takes the job away, once", async () => {
    const { id } = await newJob(team, { schedule: DAILY });
    const path = `${JOBS}/${id}`;
    expect((await call("DELETE", path, { key: team.admin.key })).status).toBe(204);
    expect((await call("GET", path, { key: team.admin.key })).status).toBe(404);
    expect((await call("DELETE", path, { key: team.admin.key })).status).toBe(404);
    expect(await auditsOf(id)).toEqual(["automation_job.create", "automation_job.delete"]);
  });
});

describe("getAutomationJob", () => {
  refusesStrangers("getAutomationJob", (key) => call("GET", `${JOBS}/${crypto.randomUUID()}`, { key }), {
    right: "jobs:read",
  });

  it("keeps a job whose owner is gone, and says so", async () => {
    const second = await team.newMember("admin");
    const { id } = (await createJob(team, {}, second.key)).body.data;
    await call("DELETE", `/v4/users/${second.id}`, { key: team.admin.key });
    const { body } = await call("GET", `${JOBS}/${id}`, { key: team.member.key });
    expect(body.data.owner).toEqual({ id: second.id, name: null });
  });
});

describe("the maintenance jobs of a lake", () => {
  it("go with it, and their runs are cancelled", async () => {
    const owner = await newAutomationTeam();
    const lake = { type: "lake", name: "Second", credentials: {} };
    const made = await call("POST", "/v1/api/integrations", { key: owner.admin.key, body: lake });
    const resourceId = made.body.integration.id;
    const { id } = await newJob(owner, { resourceType: "lake_integration_maintenance", resourceId });
    await env.DB.prepare(
      `insert into automation_runs select ?1, team_id, id, resource_type, resource_id, kind, dataset_keys, 'manual', null, null, owner_id,
         attempts_max, backoff_seconds, timeout_seconds, 'queued', 0, 0, 0, 0, null, null, '2999', null, null, null, '2999', null, null, 0, null, null,
         created_at, updated_at, null, null from automation_jobs where id = ?2`,
    )
      .bind(crypto.randomUUID(), id)
      .run();
    await call("DELETE", `/v1/api/integrations/${resourceId}`, { key: owner.admin.key });
    expect((await call("GET", `${JOBS}/${id}`, { key: owner.admin.key })).status).toBe(404);
    const reason = await env.DB.prepare("select cancel_reason from automation_runs where automation_id = ?")
      .bind(id)
      .first<string>("cancel_reason");
    expect(reason).toBe("The lake was deleted.");
  });
});
