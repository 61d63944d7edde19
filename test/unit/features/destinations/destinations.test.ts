import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { readDocument } from "../../../support/unit/conformance.ts";
import { call } from "../../../support/unit/http.ts";
import { addressOf, newMailbox } from "../../../support/unit/messages/channels.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { DESTINATION_LIMITS } from "../../../../src/features/destinations/limits.ts";
import { resealDestinations } from "../../../../src/features/destinations/reseal.ts";
import { unseal } from "../../../../src/platform/crypto/vault.ts";

const PATH = "/v4/destinations";
const NEW = { kind: "webhook", name: "Orders", url: "https://orders.example.com/hook/of-a-secret-path" };
const one = `${PATH}/${crypto.randomUUID()}`;
const managing = { right: "team:manage" } as const;
const reading = { right: "queries:write" } as const;
refusesStrangers("createDestination", (key) => call("POST", PATH, { key, body: NEW }), managing);
refusesStrangers("updateDestination", (key) => call("PATCH", one, { key, body: { name: "x" } }), managing);
refusesStrangers("deleteDestination", (key) => call("DELETE", one, { key }), managing);
refusesStrangers("setDestinationSecret", (key) => call("POST", `${one}/secret`, { key }), managing);
refusesStrangers("testDestination", (key) => call("POST", `${one}/test`, { key }), managing);
refusesStrangers("listDestinations", (key) => call("GET", PATH, { key }), reading);
refusesStrangers("getDestination", (key) => call("GET", one, { key }), reading);

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
});
const ask = (method: string, path: string, body?: object, { key } = team.admin) =>
  call(method, path, { key, ...(body && { body }) });
const create = (more: object = {}) => ask("POST", PATH, { ...NEW, name: crypto.randomUUID(), ...more });
const rowOf = (id: string) => env.DB.prepare("select * from destinations where id = ?").bind(id).first();
const audited = async (id: string) =>
  (await env.DB.prepare("select * from audit_events where subject_id = ? order by id").bind(id).all()).results;

describe("a destination", () => {
  it.each(["http://orders.example.com", "https://10.0.0.1/", "https://user:pw@orders.example.com/", "nonsense"])(
    "is not made of %s, nor moved there, and the reason is told",
    async (url) => {
      const refused = { status: 422, body: { error: { flaws: [{ pointer: "/url" }] } } };
      expect(await create({ url })).toMatchObject(refused);
      const { id } = (await create()).body.data;
      expect(await ask("PATCH", `${PATH}/${id}`, { url })).toMatchObject(refused);
    },
  );

  it("may be this machine only where development allows it", async () => {
    const body = { ...NEW, name: "local", url: "http://127.0.0.1:1234/hook" };
    const put = (bindings: Partial<Env>) => callWith(bindings, "POST", PATH, { key: team.admin.key, body });
    expect((await put({ HOSTS_ALLOWED: "" })).status).toBe(422);
    expect((await put({ HOSTS_ALLOWED: "loopback" })).status).toBe(201);
  });

  it("is of a kind that is known", async () => {
    expect(await create({ kind: "discord" })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/kind" }] } },
    });
  });

  it("shows its host and nothing else of its address, to members too, and its secret once", async () => {
    const { body } = await create({
      url: "https://prod-1.logic.azure.com:8443/workflows/confidential?sig=confidential",
    });
    const { secret, ...shown } = body.data;
    expect(secret).toMatch(/^whsec_.{44}$/);
    expect(shown).toMatchObject({ kind: "webhook", host: "prod-1.logic.azure.com:8443", previous_secret_until: null });
    expect((await ask("GET", `${PATH}/${shown.id}`, undefined, team.member)).body.data).toEqual(shown);
    const list = (await ask("GET", PATH, undefined, team.member)).body.data.items;
    expect(list).toContainEqual(shown);
    const everything = JSON.stringify([await rowOf(shown.id), await audited(shown.id), list]);
    expect(everything).not.toContain("confidential");
    expect(everything).not.toContain(secret);
  });

  it("has a secret only where messages are signed", async () => {
    const { body } = await create({ kind: "teams" });
    expect(body.data).toMatchObject({ kind: "teams", secret: null });
    expect(await ask("POST", `${PATH}/${body.data.id}/secret`)).toMatchObject({
      status: 422,
      body: { error: { code: "validation_failed" }, message: expect.stringContaining("not signed") },
    });
  });

  it("has a name of its own in its team", async () => {
    const taken = { status: 409, body: { error: { flaws: [{ pointer: "/name" }] } } };
    const name = `Named ${crypto.randomUUID()}`;
    const all = await Promise.all([create({ name }), create({ name }), create({ name })]);
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(all.find(({ status }) => status === 409)).toMatchObject(taken);
    const other = (await create()).body.data;
    expect(await ask("PATCH", `${PATH}/${other.id}`, { name })).toMatchObject(taken);
    expect(await audited(other.id)).toHaveLength(1);
    const elsewhere = await newTeam();
    expect((await ask("POST", PATH, { ...NEW, name }, elsewhere.admin)).status).toBe(201);
  });

  it("changes its name, its address and its secret alone, each time audited", async () => {
    const made = (await create()).body.data;
    const path = `${PATH}/${made.id}`;
    expect((await ask("PATCH", path, {})).status).toBe(422);
    const renamed = (await ask("PATCH", path, { name: `Renamed ${made.id}` })).body.data;
    expect(renamed).toMatchObject({ name: `Renamed ${made.id}`, host: "orders.example.com" });
    expect((await ask("PATCH", path, { url: "https://other.example.com/" })).body.data.host).toBe("other.example.com");
    const { data } = (await ask("POST", `${path}/secret`)).body;
    expect(data.secret).toMatch(/^whsec_/);
    expect(data.secret).not.toBe(made.secret);
    expect(Date.parse(data.previous_secret_until)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect((await ask("DELETE", path)).status).toBe(204);
    for (const [method, more, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "x" }],
      ["DELETE", "", undefined],
      ["POST", "/secret", undefined],
      ["POST", "/test", undefined],
    ] as const)
      expect((await ask(method, path + more, body)).status).toBe(404);
    expect((await audited(made.id)).map(({ action }) => action)).toEqual([
      "destination.create",
      "destination.update",
      "destination.update",
      "destination_secret.set",
      "destination.delete",
    ]);
  });

  it("is one of a bounded number", async () => {
    const crowded = await newTeam();
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?2)
       insert into destinations (id, team_id, kind, name, host, sealed, vault_key_id, revision, created_at, updated_at)
       select ?1 || i, ?1, 'teams', i, 'x', '', '', 1, '', '' from n`,
    )
      .bind(crowded.id, DESTINATION_LIMITS.perTeamMax)
      .run();
    expect(await ask("POST", PATH, NEW, crowded.admin)).toMatchObject({
      status: 426,
      body: { error: { code: "business_quota_exceeded" } },
    });
  });
});

describe("testDestination", () => {
  it("sends a message once, says what came of it, and is audited", async () => {
    const mailbox = await newMailbox(crypto.randomUUID());
    const { id } = (await create({ url: addressOf("hook", mailbox.id) })).body.data;
    const { body } = await ask("POST", `${PATH}/${id}/test`);
    expect(body.data).toMatchObject({ outcome: "sent", error: null });
    const [received, ...more] = await mailbox.received();
    expect(more).toEqual([]);
    expect(received!.headers["webhook-id"]).toBe(body.data.message_id);
    expect((await audited(id)).map(({ action }) => action)).toEqual(["destination.create", "destination.test"]);
  });

  it("sends the next one only after a while, and audits none that was not sent", async () => {
    const mailbox = await newMailbox(crypto.randomUUID());
    await mailbox.failNext({ kind: "status", status: 404 });
    const { id } = (await create({ kind: "teams", url: addressOf("teams", mailbox.id) })).body.data;
    const test = () => ask("POST", `${PATH}/${id}/test`);
    const [first, ...others] = (await Promise.all([test(), test(), test()])).sort((a, b) => a.status - b.status);
    expect(first!.body.data).toMatchObject({ outcome: "refused", error: "The host answered 404." });
    expect(others.map(({ status }) => status)).toEqual([429, 429]);
    expect(await audited(id)).toHaveLength(2);
    const ago = new Date(Date.now() - DESTINATION_LIMITS.testEveryMs).toISOString();
    await env.DB.prepare("update destinations set tested_at = ? where id = ?").bind(ago, id).run();
    expect((await test()).body.data.outcome).toBe("sent");
  });
});

describe("resealDestinations", () => {
  it("moves addresses and secrets to the vault's first key, and the old key may go", async () => {
    const newKey = btoa(String.fromCharCode(...new Uint8Array(32).fill(7)));
    const rotated = openClients({ ...env, VAULT_KEYS: `next:${newKey},${env.VAULT_KEYS}` } as Env);
    const { id, secret } = (await create()).body.data;
    expect(await resealDestinations(openClients(env))).toEqual({ destinationsResealed: 0 });
    // More rows than a tick moves.
    for (let moved = 1; moved > 0; ) ({ destinationsResealed: moved } = await resealDestinations(rotated));
    const row = (await rowOf(id)) as { sealed: string };
    expect(row).toMatchObject({ vault_key_id: "next", revision: 1 });
    const opened = await unseal(
      { VAULT_KEYS: `next:${newKey}` } as Env,
      { teamId: team.id, destinationId: id },
      row.sealed,
    );
    expect(JSON.parse(opened)).toEqual({ url: NEW.url, secrets: [secret] });
  });
});

it("is sent what the document declares", async () => {
  const { webhooks } = (await readDocument()) as unknown as { webhooks: Record<string, object> };
  expect(Object.keys(webhooks)).toContain("delivery");
});
