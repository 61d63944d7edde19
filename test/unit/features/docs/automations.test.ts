// The jobs that a doc's `automations` make, from the save to the end of the entry.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

type Entry = Record<string, unknown>;
type ShownJob = Record<string, unknown> & { id: string; docAutomation: string | null };

const MORNING: Entry = { id: "morning", cron: "0 7 * * *" };
const EVENING: Entry = { id: "evening", schedule: { cron: "0 19 * * *", timezone: "Europe/Oslo" }, overlap: "queue" };
const docOf = (automations: Entry[] | undefined, more: object = {}) => ({
  version: 1,
  kind: "pipeline",
  metadata: { name: "Report" },
  datasets: { one: { engine: "python", code: "result = 1" } },
  ...(automations && { automations }),
  ...more,
});
const create = async (automations: Entry[], key = team.admin.key): Promise<string> =>
  (await call("POST", "/v4/docs", { key, body: docOf(automations) })).body.data.id;
const put = (id: string, body: object, { key = team.admin.key, ...headers }: Record<string, string> = {}) =>
  call("PUT", `/v4/docs/${id}`, { key, body, headers });
const jobsOf = async (docId: string): Promise<ShownJob[]> =>
  (await call("GET", `/v4/automations/jobs?resourceId=${docId}`, { key: team.admin.key })).body.data.items;
const jobOf = async (docId: string, entry: string): Promise<ShownJob> =>
  (await jobsOf(docId)).find(({ docAutomation }) => docAutomation === entry)!;
const patch = (id: string, body: object) => call("PATCH", `/v4/automations/jobs/${id}`, { key: team.admin.key, body });
const warningsOf = async (docId: string): Promise<string[]> =>
  (await call("GET", `/v4/docs/${docId}`, { key: team.admin.key })).body.data.warnings;
const auditsOf = async (id: string) =>
  (
    await env.DB.prepare("select action from audit_events where subject_id = ? order by id")
      .bind(id)
      .all<{ action: string }>()
  ).results.map(({ action }) => action);

describe("a doc's automations", () => {
  it("are saved with nothing where the doc is refused, and one that lost a race makes no job", async () => {
    const refused = await call("POST", "/v4/docs", { key: team.admin.key, body: docOf([MORNING, { cron: "x" }]) });
    expect(refused.status).toBe(422);
    const id = await create([]);
    const both = await Promise.all([put(id, docOf([MORNING])), put(id, docOf([EVENING]))]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([200, 409])]);
    const { definition } = (await call("GET", `/v4/docs/${id}`, { key: team.admin.key })).body.data;
    const ids = definition.automations.map((entry: { id: string }) => entry.id);
    expect((await jobsOf(id)).map(({ docAutomation }) => docAutomation)).toEqual(ids);
  });

  it("are refused to who may not make jobs", async () => {
    expect((await call("POST", "/v4/docs", { key: team.member.key, body: docOf([MORNING]) })).status).toBe(403);
  });

  it("make jobs of the doc, owned by whoever saves it, audited, and planned", async () => {
    const id = await create([
      MORNING,
      EVENING,
      { name: "By hand", datasetKeys: ["one"], data: [1], timeoutSeconds: 60 },
    ]);
    const jobs = await jobsOf(id);
    expect(jobs).toMatchObject([
      {
        name: "Report: morning",
        docAutomation: "morning",
        resourceId: id,
        schedule: { cron: "0 7 * * *", timezone: "UTC" },
        owner: { id: team.admin.id },
        enabled: true,
      },
      { docAutomation: "evening", schedule: { timezone: "Europe/Oslo" }, overlap: "queue" },
      {
        name: "By hand",
        docAutomation: "By hand",
        schedule: null,
        datasetKeys: ["one"],
        data: [1],
        timeoutSeconds: 60,
      },
    ]);
    expect(jobs.map(({ nextRunAt }) => typeof nextRunAt)).toEqual(["string", "string", "object"]);
    expect(await auditsOf(jobs[0]!.id)).toEqual(["automation_job.create"]);
  });

  it("change and take away the jobs of entries that change and go, and leave jobs made by themselves alone", async () => {
    const id = await create([MORNING, EVENING]);
    const own = { resourceType: "doc", resourceId: id, name: "Own" };
    await call("POST", "/v4/automations/jobs", { key: team.admin.key, body: own });
    const morning = await jobOf(id, "morning");
    const evening = await jobOf(id, "evening");
    expect((await put(id, docOf([{ ...MORNING, cron: "30 8 * * *" }]))).status).toBe(200);
    expect(await jobsOf(id)).toMatchObject([
      { id: morning.id, schedule: { cron: "30 8 * * *" } },
      { name: "Own", docAutomation: null },
    ]);
    expect(await auditsOf(evening.id)).toEqual(["automation_job.create", "automation_job.delete"]);
    expect((await put(id, docOf(undefined))).status).toBe(200);
    expect(await jobsOf(id)).toMatchObject([{ name: "Own" }]);
  });

  it("of an old version come back with its text", async () => {
    const id = await create([MORNING]);
    const old = (await call("GET", `/v4/docs/${id}/versions/1`, { key: team.admin.key })).body.data.text;
    await put(id, docOf([EVENING]));
    await put(id, JSON.parse(old));
    expect((await jobsOf(id)).map(({ docAutomation }) => docAutomation)).toEqual(["morning"]);
  });

  it("make jobs of whoever saves the doc next", async () => {
    const id = await create([MORNING]);
    const second = await team.newMember("admin");
    await put(id, docOf([MORNING], { metadata: { name: "Renamed" } }), { key: second.key });
    expect(await jobsOf(id)).toMatchObject([{ owner: { id: second.id } }]);
  });

  it("cancel the runs of a job that goes with its entry", async () => {
    const id = await create([{ id: "asked" }]);
    const { id: jobId } = await jobOf(id, "asked");
    const at = new Date().toISOString();
    await env.DB.prepare(
      `insert into automation_runs (id, team_id, automation_id, resource_type, resource_id, cause, owner_id, attempts_max,
        backoff_seconds, timeout_seconds, state, attempt, refusals, due_at, deadline_at, revision, created_at, updated_at)
       values (?1, ?2, ?3, 'doc', ?4, 'manual', ?5, 1, 60, 60, 'queued', 0, 0, ?6, ?6, 1, ?6, ?6)`,
    )
      .bind(crypto.randomUUID(), team.id, jobId, id, team.admin.id, at)
      .run();
    await put(id, docOf([]));
    const run = await env.DB.prepare("select cancel_code from automation_runs where automation_id = ?")
      .bind(jobId)
      .first<{ cancel_code: string }>();
    expect(run?.cancel_code).toBe("job_deleted");
  });
});

describe("what is done to a doc's job by itself", () => {
  it("wins until its entry is another, and is in the doc's warnings", async () => {
    const id = await create([MORNING, EVENING]);
    const { id: jobId } = await jobOf(id, "morning");
    expect((await patch(jobId, { enabled: false })).body.data).toMatchObject({
      enabled: false,
      docAutomation: "morning",
    });
    const warning = `/automations/0 (line 1, column`;
    expect(await warningsOf(id)).toEqual([expect.stringContaining(warning)]);
    const saved = await put(id, docOf([MORNING, { ...EVENING, timeoutSeconds: 600 }]));
    expect(saved.body.data.warnings).toEqual([expect.stringMatching(/^\/automations\/0 .*was changed by itself/)]);
    expect(await jobOf(id, "morning")).toMatchObject({ id: jobId, enabled: false });
    expect((await put(id, docOf([{ ...MORNING, timeoutSeconds: 60 }, EVENING]))).body.data.warnings).toEqual([]);
    expect(await jobOf(id, "morning")).toMatchObject({ id: jobId, enabled: true, timeoutSeconds: 60 });
    expect(await warningsOf(id)).toEqual([]);
  });

  it("keeps one that was deleted away until then", async () => {
    const id = await create([MORNING]);
    const { id: jobId } = await jobOf(id, "morning");
    expect((await call("DELETE", `/v4/automations/jobs/${jobId}`, { key: team.admin.key })).status).toBe(204);
    expect((await put(id, docOf([MORNING], { metadata: { name: "Other" } }))).body.data.warnings).toEqual([
      expect.stringMatching(/^\/automations\/0 .*was deleted by itself/),
    ]);
    expect(await jobsOf(id)).toEqual([]);
    await put(id, docOf([{ ...MORNING, cron: "0 8 * * *" }]));
    const [again] = await jobsOf(id);
    expect(again).toMatchObject({ docAutomation: "morning", schedule: { cron: "0 8 * * *" } });
    expect(again!.id).not.toBe(jobId);
    expect(await warningsOf(id)).toEqual([]);
  });

  it("ends with the entry", async () => {
    const id = await create([MORNING]);
    await call("DELETE", `/v4/automations/jobs/${(await jobOf(id, "morning")).id}`, { key: team.admin.key });
    await put(id, docOf([]));
    await put(id, docOf([MORNING]));
    expect(await jobsOf(id)).toMatchObject([{ docAutomation: "morning" }]);
  });
});

describe("archiving a doc", () => {
  it("pauses its jobs, and restoring resumes them, but for those that were disabled", async () => {
    const id = await create([MORNING, { ...EVENING, enabled: false }]);
    expect((await call("DELETE", `/v4/docs/${id}`, { key: team.admin.key })).status).toBe(204);
    expect(await jobsOf(id)).toMatchObject([
      { enabled: false, pausedReason: "doc_archived", nextRunAt: null },
      { enabled: false, pausedReason: null },
    ]);
    expect((await call("POST", `/v4/docs/${id}/restore`, { key: team.admin.key })).status).toBe(200);
    expect(await jobsOf(id)).toMatchObject([
      { enabled: true, pausedReason: null, nextRunAt: expect.any(String) },
      { enabled: false, pausedReason: null },
    ]);
    expect(await warningsOf(id)).toEqual([]);
  });
});
