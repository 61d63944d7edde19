// Lake administration as a team's admin and the platform's operator meet it: a lake of many small files, looked at,
// maintained by the real engine, and looked at again.

import { beforeAll, expect, it } from "vitest";
import { call, newTeam, rowsOf, type Integration } from "../client.ts";

type Data<Payload> = { data: Payload };
type Table = { name: string; step: string; filesBefore: number; filesAfter: number; rowsBefore: number };
type Maintenance = {
  maintenanceId: string;
  engineJobId: string;
  state: string;
  error: string | null;
  jobId: string | null;
  progress: { steps: { step: string; state: string }[]; tables: Table[] } | null;
};
type Health = {
  grade: string;
  findings: { code: string }[];
  figures: { files: number; smallFiles: number; rows: number };
  lastMaintenance: { maintenanceId: string; state: string } | null;
};
type Count = { objects: number; bytes: number };
type Storage = {
  tracked: { bytes: number; current: number; keptForSnapshots: number };
  actual: { bytes: number; source: string };
  difference: { bytes: number; scheduled: Count; tooYoung: Count; orphaned: Count; changed: number };
};
type Schedule = { jobId: string; kind: string; cron: string; timezone: string; enabled: boolean; nextRunAt: string };

const [JOBS, LAKE] = ["/v4/automations/jobs", "/v4/admin/lake"];
const FILES = 24;
const ROWS_PER_FILE = 50;

let team: { id: string; key: string };
let lake: string;

/** Calls as the team's admin, who is no operator. */
const asAdmin = <Body>(method: string, path: string, body?: unknown) =>
  call<Data<Body>>(method, path, { key: team.key, ...(body === undefined ? {} : { body }) });
/** The demo team's admin is the platform's operator. */
const asOperator = <Body>(method: string, path: string, body?: unknown) =>
  call<Data<Body>>(method, path, body === undefined ? {} : { body });

async function found<Body>(answer: Promise<{ status: number; body: Data<Body> }>, expected = 200): Promise<Body> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBe(expected);
  return body.data;
}

const conflictsOf = (body: unknown) => (body as { error: { conflictsWith: string[] } }).error.conflictsWith;

const run = (sql: string) => rowsOf(sql, {}, { key: team.key });
const sum = () =>
  run(
    "SELECT count(*)::int AS rows, md5(string_agg(concat(n, '|', note), ',' ORDER BY n)) AS sum FROM LAKE.kept.parts",
  );
const healthOf = () => found<Health>(asAdmin("GET", `${LAKE}/health/${lake}`));

async function ended(id: string): Promise<Maintenance> {
  const look = () => found<Maintenance>(asAdmin("GET", `${LAKE}/maintenance/${lake}?maintenanceId=${id}`));
  await expect
    .poll(async () => (await look()).state, { timeout: 60_000, interval: 250 })
    .not.toMatch(/^(queued|running)$/);
  return look();
}

beforeAll(async () => {
  team = await newTeam("Lakeside");
  lake = (await found<Integration[]>(asAdmin("GET", "/v1/api/integrations?type=lake")))[0]!.id;
  await run("CREATE SCHEMA LAKE.kept");
  await run("CREATE TABLE LAKE.kept.parts (n BIGINT, note VARCHAR)");
  for (let from = 0; from < FILES * ROWS_PER_FILE; from += ROWS_PER_FILE)
    await run(
      `INSERT INTO LAKE.kept.parts SELECT n, 'part ' || n FROM range(${from}, ${from + ROWS_PER_FILE}) AS r (n)`,
    );
});

it("finds a lake's small files, has the engine merge them, and is well again with the same rows", async () => {
  const [before, health] = [await sum(), await healthOf()];
  expect(health.findings.map(({ code }) => code)).toContain("small_files");
  expect(health).toMatchObject({ figures: { files: FILES, smallFiles: FILES }, lastMaintenance: null });
  expect((await asAdmin("GET", `${LAKE}/maintenance/${lake}`)).status).toBe(404);

  const submit = (body: unknown) => asAdmin<Maintenance>("POST", `${LAKE}/maintenance/${lake}`, body);
  expect(await found(submit({ dryRun: true }), 202)).toMatchObject({
    ...{ maintenanceId: null, engineJobId: null },
    plan: { merge: { tables: 1, total: { files: FILES, filesAfter: 1, rows: FILES * ROWS_PER_FILE } } },
  });
  const answers = await Promise.all([submit({ kind: "full" }), submit({ kind: "full" })]);
  const [taken, refused] = answers.toSorted((left, right) => left.status - right.status);
  const { maintenanceId, engineJobId } = await found(Promise.resolve(taken!), 202);
  expect([refused!.status, refused!.body]).toMatchObject([409, { error: { conflictsWith: [maintenanceId] } }]);

  const after = await ended(maintenanceId);
  expect(after, JSON.stringify(after)).toMatchObject({ state: "succeeded", engineJobId, error: null, jobId: null });
  const merged = { name: "parts", step: "merge", filesBefore: FILES, filesAfter: 1, rowsBefore: FILES * ROWS_PER_FILE };
  expect(after.progress!.tables).toMatchObject([merged]);
  expect(new Set(after.progress!.steps.map(({ state }) => state))).toEqual(new Set(["done"]));
  expect(await sum()).toEqual(before);
  expect(await healthOf()).toMatchObject({
    ...{ grade: "good", findings: [], figures: { files: 1, rows: FILES * ROWS_PER_FILE } },
    lastMaintenance: { maintenanceId, state: "succeeded" },
  });
  const many = await found<{ items: Health[] }>(asOperator("GET", `${LAKE}/health?teamIds=${team.id}`));
  expect(many.items).toMatchObject([{ integrationId: lake, grade: "good", figures: { files: 1 } }]);
});

it("has each line that the maintenance said, by either id, and none of a failure", async () => {
  const { maintenanceId, engineJobId } = await found<Maintenance>(asAdmin("GET", `${LAKE}/maintenance/${lake}`));
  const logs = (id: string) =>
    asAdmin<{ items: { source: string }[] }>("GET", `${LAKE}/maintenance/${lake}/job-logs/${id}`);
  const [all, ofAttempt] = [await found(logs(maintenanceId)), await found(logs(engineJobId))];
  expect(all.items.map(({ source }) => source)).toEqual(expect.arrayContaining(["platform", "engine"]));
  expect(ofAttempt.items).toEqual(all.items);
  expect([(await logs("last-failed")).status, (await logs("none-such")).status]).toEqual([404, 404]);
});

it("accounts for each byte of the lake's objects", async () => {
  const { tracked, actual, difference } = await found<Storage>(asAdmin("GET", `${LAKE}/storage/${lake}`));
  const { scheduled, tooYoung, orphaned, changed } = difference;
  // The files before the merge are read by the snapshots that are kept.
  expect(tracked.keptForSnapshots).toBeGreaterThan(tracked.current);
  expect(tracked.bytes).toBe(tracked.current + tracked.keptForSnapshots);
  expect(actual).toMatchObject({ source: "listing", bytes: tracked.bytes + difference.bytes });
  expect(difference.bytes).toBe(scheduled.bytes + tooYoung.bytes + orphaned.bytes + changed);
  expect([orphaned, changed]).toEqual([{ objects: 0, bytes: 0 }, 0]);
});

it("keeps a schedule and its automation job as one", async () => {
  const path = `${LAKE}/maintenance/${lake}/schedule?kind=daily`;
  const made = await found<Schedule>(asAdmin("PUT", path, { cron: "15 3 * * *", timezone: "Europe/Berlin" }));
  const job = await found<object>(asAdmin("GET", `${JOBS}/${made.jobId}`));
  expect(job).toMatchObject({
    ...{ resourceType: "lake_integration_maintenance", resourceId: lake, kind: "daily", enabled: true },
    ...{ schedule: { cron: "15 3 * * *", timezone: "Europe/Berlin" }, nextRunAt: made.nextRunAt },
  });
  await found(asAdmin("PATCH", `${JOBS}/${made.jobId}`, { schedule: { cron: "45 4 * * 1" }, enabled: false }));
  expect(await found(asAdmin("GET", path))).toMatchObject({ jobId: made.jobId, cron: "45 4 * * 1", enabled: false });
  const listed = await found<{ items: Schedule[] }>(asAdmin("GET", `${LAKE}/maintenance/schedules`));
  expect(listed.items).toMatchObject([{ jobId: made.jobId, cron: "45 4 * * 1" }]);
  expect((await asAdmin("DELETE", `${JOBS}/${made.jobId}`)).status).toBe(204);
  expect((await asAdmin("GET", path)).status).toBe(404);
});

it("lets an operator, and nobody else, maintain all lakes of the team", async () => {
  const path = `/v4/admin/teams/${team.id}/maintenance`;
  expect((await asAdmin("POST", path, {})).status).toBe(403);
  await run("INSERT INTO LAKE.kept.parts VALUES (-1, 'late')");
  const before = await sum();
  const submit = () => asOperator<{ maintenances: Maintenance[] }>("POST", path, { kind: "daily" });
  const answers = await Promise.all(Array.from({ length: 6 }, submit));
  const accepted = answers.flatMap(({ status, body }) => (status === 202 ? body.data.maintenances : []));
  expect(accepted.length).toBeGreaterThan(0);
  // One at a time: who is refused was refused for one of these. The lake is so small that all may find it free.
  const running = accepted.map((each) => [each.maintenanceId]);
  for (const { status, body } of answers.filter((answer) => answer.status !== 202))
    expect([status, running]).toEqual([409, expect.arrayContaining([conflictsOf(body)])]);
  for (const each of accepted) {
    expect(each).toMatchObject({ integrationId: lake, kind: "daily" });
    expect(await ended(each.maintenanceId)).toMatchObject({ state: "succeeded", teamId: team.id });
  }
  const maintenanceId = accepted
    .map((each) => each.maintenanceId)
    .toSorted()
    .at(-1)!;
  const shown = await found<{ items: Maintenance[] }>(asOperator("GET", path));
  expect(shown.items).toMatchObject([{ maintenanceId, state: "succeeded", kind: "daily" }]);
  const logs = await found<{ items: object[] }>(asOperator("GET", `${path}/job-logs/${maintenanceId}`));
  expect(logs.items.length).toBeGreaterThan(0);
  expect(await sum()).toEqual(before);
});
