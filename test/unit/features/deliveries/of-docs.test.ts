// The deliveries that docs say of themselves: they come, change and go with their entry.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newDeliveryWorld, type DeliveryWorld } from "../../../support/unit/deliveries/world.ts";

let world: DeliveryWorld;
beforeAll(async () => void (world = await newDeliveryWorld()));

const docWith = (automations: object[]) => ({
  version: 1,
  kind: "dashboard",
  metadata: { name: "Scores" },
  datasets: { one: { engine: "sql", sql: "SELECT 1 AS n" } },
  automations,
});
const DAILY = { id: "daily", cron: "0 7 * * *" };

const deliveries = async () => (await world.ask("GET", "/v4/deliveries")).body.data.items;
const jobs = async () => (await world.ask("GET", "/v4/automations/jobs")).body.data.items;
const save = (id: string, automations: object[]) => world.ask("PUT", `/v4/docs/${id}`, docWith(automations));

describe("a doc's entry with destinations", () => {
  it("makes a delivery of the doc, and a job that runs it", async () => {
    const to = { type: "email", to: [world.memberEmail] };
    const { body } = await world.ask("POST", "/v4/docs", docWith([{ ...DAILY, destinations: [to] }]));
    const { id: docId, warnings } = body.data;
    expect(warnings).toEqual([]);
    const [job] = await jobs();
    expect(job).toMatchObject({ resourceType: "delivery", resourceId: job.id, docAutomation: "daily", enabled: true });
    expect(await deliveries()).toMatchObject([
      { id: job.id, source: { kind: "doc", doc_id: docId }, to: [{ channel: "email", address: world.memberEmail }] },
    ]);

    await save(docId, [{ ...DAILY, datasetKeys: ["one"], destinations: [to] }]);
    expect(await deliveries()).toMatchObject([{ id: job.id, source: { dataset_keys: ["one"] } }]);
    const audited =
      "select action from audit_events where team_id = ? and subject_id = ? and kind = 'delivery' order by at";
    const { results } = await env.DB.prepare(audited).bind(world.team.id, job.id).all();
    expect(results.map(({ action }) => action)).toEqual(["delivery.create", "delivery.update"]);

    await world.ask("DELETE", `/v4/docs/${docId}`);
    expect(await jobs()).toMatchObject([{ enabled: false, pausedReason: "doc_archived" }]);
    await world.ask("POST", `/v4/docs/${docId}/restore`);
    expect(await jobs()).toMatchObject([{ enabled: true, pausedReason: null }]);

    await save(docId, [DAILY]);
    expect([await deliveries(), (await jobs())[0]]).toMatchObject([[], { id: job.id, resourceType: "doc" }]);

    await save(docId, [{ ...DAILY, destinations: [to] }]);
    expect(await deliveries()).toHaveLength(1);
    await save(docId, []);
    expect([await deliveries(), await jobs()]).toEqual([[], []]);
  });

  it("warns of each that names nobody, and runs the doc all the same", async () => {
    const destinations = [{ type: "pager", number: "1" }, { type: "email" }, { type: "slack", channelId: "C1" }];
    const { body } = await world.ask("POST", "/v4/docs", docWith([{ ...DAILY, destinations }]));
    expect(body.data.warnings.map((warning: string) => warning.split(" ")[0])).toEqual([
      "/automations/0/destinations/0",
      "/automations/0/destinations/1",
      "/automations/0/destinations/2",
    ]);
    expect([await deliveries(), await jobs()]).toMatchObject([[], [{ resourceType: "doc" }]]);
  });
});

describe("what an entry's destinations name and nobody gets", () => {
  const warningsOf = async (docId: string): Promise<string[]> =>
    (await world.ask("GET", `/v4/docs/${docId}`)).body.data.warnings;
  const create = (destinations: object[]) => world.ask("POST", "/v4/docs", docWith([{ ...DAILY, destinations }]));

  it("is in the doc's warnings by its place: nobody whom the channel reaches, and whoever is past the bound", async () => {
    const many = Array.from({ length: 60 }, (_, i) => `p${i}@elsewhere.example`);
    const { body } = await create([
      { type: "email", to: world.memberEmail },
      { type: "webhook", destinationId: crypto.randomUUID() },
      { type: "email", to: [world.memberEmail, ...many] },
    ]);
    const { id, warnings } = body.data;
    const at = (j: number, words: string) =>
      expect.stringMatching(new RegExp(`^/automations/0/destinations/${j} .*${words}`));
    expect(warnings.slice(0, 2)).toEqual([
      at(1, "Nothing goes to"),
      at(2, "p0@elsewhere.example: Mail goes to members"),
    ]);
    expect(warnings.at(-1)).toEqual(at(2, "12 recipients get nothing: an entry delivers to at most 50"));
    expect(warnings).toHaveLength(1 + 48 + 1);
    expect(await warningsOf(id)).toEqual(warnings);
    const { to } = (await deliveries()).find(({ source }: { source: { doc_id: string } }) => source.doc_id === id);
    expect(to).toHaveLength(50);
  });

  it("is told where the team has as many deliveries as it may: the job runs the doc until there is room", async () => {
    const crowded = await newDeliveryWorld();
    const other = await crowded.newDelivery();
    const rows = Array.from({ length: 499 }, () => crypto.randomUUID());
    await env.DB.prepare(
      `insert into deliveries (id, team_id, name, source, source_id, recipients, revision, created_by, created_at, updated_at)
        select ids.value, d.team_id, d.name, d.source, d.source_id, d.recipients, 1, d.created_by, d.created_at, d.updated_at
        from deliveries d, json_each(?) ids where d.id = ?`,
    )
      .bind(JSON.stringify(rows), other)
      .run();
    const entry = { ...DAILY, destinations: [{ type: "email", to: crowded.memberEmail }] };
    const { body, status } = await crowded.ask("POST", "/v4/docs", docWith([entry]));
    const said = [expect.stringMatching(/^\/automations\/0\/destinations .*the team had 500 deliveries/)];
    expect([status, body.data.warnings]).toEqual([201, said]);
    const path = `/v4/docs/${body.data.id}`;
    expect((await crowded.ask("GET", path)).body.data.warnings).toEqual(said);
    const job = async () => (await crowded.ask("GET", "/v4/automations/jobs")).body.data.items[0];
    expect(await job()).toMatchObject({ resourceType: "doc", docAutomation: "daily" });
    const again = { ...docWith([entry]), metadata: { name: "Other" } };
    expect((await crowded.ask("PUT", path, again)).body.data.warnings).toEqual(said);

    await crowded.ask("DELETE", `/v4/deliveries/${other}`);
    expect((await crowded.ask("PUT", path, docWith([entry]))).body.data.warnings).toEqual([]);
    expect(await job()).toMatchObject({ resourceType: "delivery", docAutomation: "daily" });
  });
});

describe("what is done to a doc's delivery by itself", () => {
  const mailTo = (address: string) => ({ channel: "email", address });
  const entry = (more: object = {}) => ({
    ...DAILY,
    ...more,
    destinations: [{ type: "email", to: world.memberEmail }],
  });
  const made = async (): Promise<{ docId: string; id: string }> => {
    const docId = (await world.ask("POST", "/v4/docs", docWith([entry()]))).body.data.id;
    const id = (await deliveries()).find(({ source }: { source: { doc_id: string } }) => source.doc_id === docId).id;
    return { docId, id };
  };
  const deliveryOf = async (id: string) => (await world.ask("GET", `/v4/deliveries/${id}`)).body.data;
  const patch = (id: string, body: object) => world.ask("PATCH", `/v4/deliveries/${id}`, body);
  const warningsOf = async (docId: string) => (await world.ask("GET", `/v4/docs/${docId}`)).body.data.warnings;
  const renamed = (automations: object[], name: string) => ({ ...docWith(automations), metadata: { name } });

  it("wins until its entry is another, whoever saves the doc, and is in the doc's warnings", async () => {
    const { docId, id } = await made();
    const admin = await world.team.newMember("admin");
    const { email } = (await world.ask("GET", "/v4/me")).body.data.user;
    const to = [mailTo(email)];
    const condition = { kind: "rows" };
    expect((await patch(id, { to, name: "Mine", message: "Look.", condition })).status).toBe(200);
    const warned = [expect.stringMatching(new RegExp(`^/automations/0 .*delivery ${id} was changed by itself`))];
    expect(await warningsOf(docId)).toEqual(warned);
    const saved = await world.ask("PUT", `/v4/docs/${docId}`, renamed([entry()], "Other"), admin.key);
    expect(saved.body.data.warnings).toEqual(warned);
    expect(await deliveryOf(id)).toMatchObject({ to, name: "Mine", message: "Look.", condition });

    const changed = await world.ask("PUT", `/v4/docs/${docId}`, renamed([entry({ cron: "0 8 * * *" })], "Other"));
    expect(changed.body.data.warnings).toEqual([]);
    expect(await warningsOf(docId)).toEqual([]);
    // What no entry says stays.
    expect(await deliveryOf(id)).toMatchObject({
      to: [mailTo(world.memberEmail)],
      name: "Other: daily",
      ...{ message: "Look.", condition },
    });
  });

  it("keeps what its condition saw when the doc is saved, until its source is another", async () => {
    const { docId, id } = await made();
    await patch(id, { condition: { kind: "rows" } });
    const runId = crypto.randomUUID();
    const saw = async () => {
      await env.DB.prepare(
        `update deliveries set condition_state = '{"holds":true,"value":1}', last_run_id = ?, last_run_at = ?,
          last_run_sent = 1 where id = ?`,
      )
        .bind(runId, new Date().toISOString(), id)
        .run();
    };
    await saw();
    await world.ask("PUT", `/v4/docs/${docId}`, renamed([entry()], "Other"));
    await save(docId, [entry({ overlap: "queue" })]);
    expect((await deliveryOf(id)).last_run).toMatchObject({ run_id: runId, holds: true, value: 1 });
    await save(docId, [entry({ datasetKeys: ["one"] })]);
    expect((await deliveryOf(id)).last_run).toBeNull();
  });

  it("leaves a delivery at its revision when only its job becomes another admin's", async () => {
    const { docId, id } = await made();
    const admin = await world.team.newMember("admin");
    const before = await deliveryOf(id);
    await world.ask("PUT", `/v4/docs/${docId}`, { ...docWith([entry()]), filters: [] }, admin.key);
    expect(await deliveryOf(id)).toEqual(before);
    const job = (await world.ask("GET", `/v4/automations/jobs/${id}`)).body.data;
    expect(job.owner.id).toBe(admin.id);
  });

  it.each([
    ["delivery", (id: string) => `/v4/deliveries/${id}`],
    ["job", (id: string) => `/v4/automations/jobs/${id}`],
  ])("deletes delivery and job together by the %s, and makes them again with another entry alone", async (_, path) => {
    const { docId, id } = await made();
    expect((await world.ask("DELETE", path(id))).status).toBe(204);
    for (const gone of [`/v4/deliveries/${id}`, `/v4/automations/jobs/${id}`])
      expect((await world.ask("GET", gone)).status).toBe(404);
    const { results } = await env.DB.prepare("select action from audit_events where subject_id = ? order by action")
      .bind(id)
      .all<{ action: string }>();
    expect(results.map(({ action }) => action)).toEqual([
      ...["automation_job.create", "automation_job.delete", "delivery.create", "delivery.delete"],
    ]);
    const saved = await world.ask("PUT", `/v4/docs/${docId}`, renamed([entry()], "Other"));
    expect(saved.body.data.warnings).toEqual([expect.stringMatching(/was deleted by itself/)]);
    await world.ask("PUT", `/v4/docs/${docId}`, renamed([entry({ cron: "0 8 * * *" })], "Other"));
    const again = (await deliveries()).filter(({ source }: { source: { doc_id: string } }) => source.doc_id === docId);
    expect(again).toHaveLength(1);
    expect(again[0].id).not.toBe(id);
  });

  it("goes out with the rights of whoever saved the doc last, or said since what goes to whom", async () => {
    const { docId, id } = await made();
    const [second, third] = [await world.team.newMember("admin"), await world.team.newMember("admin")];
    const ownerOf = async () => (await world.ask("GET", `/v4/automations/jobs/${id}`)).body.data.owner.id;
    const patchAs = (key: string, body: object) => world.ask("PATCH", `/v4/deliveries/${id}`, body, key);
    await patchAs(second.key, { message: "Look." });
    expect(await ownerOf()).toBe(world.team.admin.id);
    await patchAs(second.key, { to: [mailTo(world.memberEmail)] });
    expect(await ownerOf()).toBe(second.id);
    const saved = { ...docWith([entry()]), datasets: { one: { engine: "sql", sql: "SELECT 2 AS n" } } };
    expect((await world.ask("PUT", `/v4/docs/${docId}`, saved, third.key)).status).toBe(200);
    expect(await ownerOf()).toBe(third.id);
    expect(await warningsOf(docId)).toEqual([expect.stringMatching(/delivery .* was changed by itself/)]);
  });

  it("is not reached by a key that may write docs and no jobs", async () => {
    const { docId, id } = await made();
    const admin = await world.team.newMember("admin");
    await patch(id, { message: "Look." });
    const minted = await world.ask("POST", `/v4/users/${admin.id}/keys`, { name: "Docs", scopes: ["docs:write"] });
    const saved = { ...docWith([entry()]), datasets: { one: { engine: "sql", sql: "SELECT 3 AS n" } } };
    const { status, body } = await world.ask("PUT", `/v4/docs/${docId}`, saved, minted.body.data.key);
    expect([status, body.error.code]).toEqual([403, "forbidden_insufficient_permissions"]);
  });

  it("takes no second job, and the entry's end leaves nothing behind", async () => {
    const { docId, id } = await made();
    const job = { resourceType: "delivery", resourceId: id };
    const { status, body } = await world.ask("POST", "/v4/automations/jobs", job);
    expect([status, body.error.flaws[0].pointer, body.error.conflictsWith]).toEqual([422, "/resourceId", [id]]);
    await world.ask("DELETE", `/v4/docs/${docId}`);
    expect((await world.ask("POST", "/v4/automations/jobs", job)).status).toBe(422);
    await world.ask("POST", `/v4/docs/${docId}/restore`);
    await save(docId, []);
    expect((await world.ask("POST", "/v4/automations/jobs", job)).status).toBe(404);
    const jobsOf = await world.ask("GET", `/v4/automations/jobs?resourceId=${id}`);
    expect(jobsOf.body.data.items).toEqual([]);
  });
});
