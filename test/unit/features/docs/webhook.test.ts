import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/core/limits.ts";
import { DOC_LIMITS } from "../../../../src/features/docs/limits.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { fakeSandbox, reportOf } from "../../../support/unit/fake-sandbox.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const python = (rest: object = {}) => ({ engine: "python", code: "result = 1", ...rest });
const DATASETS = {
  raw: { engine: "sql", sql: "select 1" },
  first: python({ inputs: [{ ref: "raw", as: "raw_df" }] }),
  second: python({ dependsOn: ["first"], timeoutMs: 60_000 }),
  third: python(),
};

let team: TestTeam;
let doc: string;
beforeAll(async () => {
  team = await newTeam();
  doc = await addDoc();
});

const addDoc = async (datasets: object = DATASETS, owner = team): Promise<string> =>
  (
    await call("POST", "/v4/docs", {
      key: owner.admin.key,
      body: { version: 1, kind: "pipeline", metadata: { name: "Hook" }, datasets },
    })
  ).body.data.id;
const at = (id: string) => `/v4/webhook/docs/${id}/execute`;

describe("executeWebhook", () => {
  it("runs all Python datasets, with what they need, and reports by dataset", async () => {
    const sandbox = fakeSandbox({ datasets: { second: { success: false, error: "ValueError: no" } } });
    const { status, body } = await sandbox.post(at(doc), team.member.key, {
      data: { big: 1 },
      environmentVariables: { TOKEN: "x" },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ docId: doc, docName: "Hook" });
    expect(body.data.results).toEqual({
      first: { success: true, executionId: expect.any(String), error: null },
      second: { success: false, executionId: expect.any(String), error: "ValueError: no" },
      third: { success: true, executionId: expect.any(String), error: null },
    });
    const [order] = sandbox.seen.orders;
    expect(order!.datasets.map(({ key }) => key)).toEqual(["raw", "first", "second", "third"]);
    expect(order).toMatchObject({ teamId: team.id, docId: doc, hasEnvelope: true, internet: false });
    // Its turn among others, and the drive's way to a new sandbox, are not the code's own time.
    expect(order!.deadlineMs).toBe(LIMITS.queryDeadlineMsDefault + 6_000 + 60_000 + 6_000 + DOC_LIMITS.runSlackMs);
    expect(order!.datasets.map(({ timeoutMs }) => timeoutMs)).toEqual([
      LIMITS.queryDeadlineMsDefault,
      6_000,
      60_000,
      6_000,
    ]);
  });

  it("runs only the datasets it is asked for", async () => {
    const sandbox = fakeSandbox();
    const { body } = await sandbox.post(at(doc), team.member.key, { datasetKeys: ["second"] });
    expect(Object.keys(body.data.results)).toEqual(["second"]);
    expect(sandbox.seen.orders[0]!.datasets.map(({ key }) => key)).toEqual(["raw", "first", "second"]);
  });

  it("passes the body on as it came", async () => {
    const sandbox = fakeSandbox();
    const text = '{ "data": {"id": 9007199254740993, "id": 2} }';
    await sandbox.post(at(doc), team.member.key, undefined, { "content-type": "application/json" });
    expect(
      (
        await callWith(sandbox.bindings, "POST", at(doc), {
          key: team.member.key,
          raw: text,
          headers: { "content-type": "application/json" },
        })
      ).status,
    ).toBe(200);
    expect(sandbox.seen.envelopes.at(-1)!.text).toBe(text);
  });

  it("takes an empty body", async () => {
    const sandbox = fakeSandbox();
    expect((await sandbox.post(at(doc), team.member.key, undefined)).status).toBe(200);
    expect(["", "{}"]).toContain(sandbox.seen.envelopes[0]!.text);
  });

  it("takes a body of no stated length, whole or empty", async () => {
    const sandbox = fakeSandbox();
    const post = (chunks: string[]) => {
      const raw = new Blob(chunks).stream().pipeThrough(new TransformStream<Uint8Array, Uint8Array>());
      return callWith(sandbox.bindings, "POST", at(doc), {
        key: team.member.key,
        raw,
        headers: { "content-type": "application/json" },
      });
    };
    const text = `{"data": "${"x".repeat(300_000)}"}`;
    expect((await post([text])).status).toBe(200);
    expect(sandbox.seen.envelopes.at(-1)!.text).toBe(text);
    expect((await post([])).status).toBe(200);
    expect(["", "{}"]).toContain(sandbox.seen.envelopes.at(-1)!.text);
  });

  it("is 200 too when the sandbox is lost on the way, with what it had told, once its lease is over", async () => {
    const sandbox = fakeSandbox({
      vanish: true,
      during: async (order, send) => {
        const [raw, first] = order.datasets;
        for (const { key, executionId } of [raw!, first!]) {
          await send("report", {
            key,
            executionId,
            success: true,
            skipped: false,
            error: null,
            traceback: null,
            startedAt: null,
            durationMs: 1,
            peakBytes: null,
            result: null,
          });
        }
        await env.DB.prepare("update doc_runs set lease_until = '2000-01-01T00:00:00.000Z' where id = ?")
          .bind(order.runId)
          .run();
      },
    });
    const { status, body } = await sandbox.post(at(doc), team.member.key, {});
    expect(status).toBe(200);
    expect(body.data.results).toMatchObject({
      first: { success: true },
      second: { success: false, error: expect.stringContaining("sandbox stopped") },
    });
    expect(sandbox.seen.orders).toHaveLength(1);
  });

  it("takes the end from the sandbox itself when the connection to it broke", async () => {
    const sandbox = fakeSandbox({
      vanish: true,
      during: async (order, send) => void (await send("finish", reportOf(order))),
    });
    expect((await sandbox.post(at(doc), team.member.key, {})).body.data.results.third.success).toBe(true);
  });

  it("reaches the internet where an admin has said so", async () => {
    const other = await newTeam();
    const id = await addDoc(DATASETS, other);
    expect((await call("GET", "/v4/team/settings", { key: other.member.key })).body.data).toEqual({
      sandbox_internet: false,
    });
    for (const sandbox_internet of [true, false, true])
      await call("PATCH", "/v4/team/settings", { key: other.admin.key, body: { sandbox_internet } });
    const sandbox = fakeSandbox();
    await sandbox.post(at(id), other.member.key, {});
    expect(sandbox.seen.orders[0]!.internet).toBe(true);
  });
});

describe("executeWebhook refuses, and runs nothing", () => {
  it.each([
    ["an unknown dataset", { datasetKeys: ["first", "nope"] }, "/datasetKeys/1"],
    ["a dataset that is not Python", { datasetKeys: ["raw"] }, "/datasetKeys/0"],
    ["an empty selection", { datasetKeys: [] }, "/datasetKeys"],
    ["an envelope the sandbox refuses", { datasetKeys: "all" }, "/datasetKeys"],
  ])("%s", async (_, body, pointer) => {
    const sandbox = fakeSandbox();
    expect(await sandbox.post(at(doc), team.member.key, body)).toMatchObject({
      status: 422,
      body: { error: { code: "validation_failed", flaws: [{ pointer }] } },
    });
    expect(sandbox.seen.orders).toEqual([]);
  });

  it("a doc that is missing, archived, or another team's, all alike", async () => {
    const sandbox = fakeSandbox();
    const archived = await addDoc();
    await call("DELETE", `/v4/docs/${archived}`, { key: team.admin.key });
    const foreign = await addDoc(DATASETS, await newTeam());
    for (const id of [crypto.randomUUID(), archived, foreign, "x"]) {
      expect(await sandbox.post(at(id), team.member.key, {})).toMatchObject({
        status: 404,
        body: { message: `Doc ${id} was not found.` },
      });
    }
    expect(sandbox.seen.envelopes).toEqual([]);
  });

  it("a doc without a Python dataset", async () => {
    expect((await fakeSandbox().post(at(await addDoc({ raw: DATASETS.raw })), team.member.key, {})).status).toBe(422);
  });

  it("a body that is no JSON by its type, is compressed, or says it is too long", async () => {
    const post = (headers: Record<string, string>) =>
      call("POST", at(doc), { key: team.member.key, raw: "{}", headers });
    expect((await post({ "content-type": "text/plain" })).status).toBe(415);
    expect((await post({ "content-type": "application/json", "content-encoding": "gzip" })).status).toBe(415);
    expect((await post({ "content-type": "application/json; charset=iso-8859-1" })).status).toBe(415);
    expect(
      (await post({ "content-type": "application/json", "content-length": String(DOC_LIMITS.webhookBodyBytesMax + 1) }))
        .status,
    ).toBe(413);
  });

  it.each(["busy", "jail_refused"] as const)(
    "when the sandbox is %s: retryable, and the run has failed",
    async (refuse) => {
      const { status, body } = await fakeSandbox({ refuse }).post(at(doc), team.member.key, {});
      expect([status, body.error.code, body.error.retryable]).toEqual([503, "sandbox_unavailable", true]);
      const [last] = (await call("GET", `/v4/docs/${doc}/runs`, { key: team.member.key })).body.data.items;
      expect(last.state).toBe("failed");
    },
  );
});

describe("an Idempotency-Key", () => {
  const key = () => ({ "idempotency-key": crypto.randomUUID() });

  it("gets a repeat the first answer, marked, and runs nothing twice", async () => {
    const [sandbox, headers] = [fakeSandbox(), key()];
    const first = await sandbox.post(at(doc), team.member.key, { data: 1 }, headers);
    const again = await sandbox.post(at(doc), team.admin.key, { data: 2 }, headers);
    expect([first.headers.get("idempotency-replayed"), again.headers.get("idempotency-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(again.body.data).toEqual(first.body.data);
    expect(sandbox.seen.orders).toHaveLength(1);
    await sandbox.post(at(await addDoc()), team.member.key, {}, headers);
    expect(sandbox.seen.orders).toHaveLength(2);
  });

  it("says to others than who sent it first, and admins, how datasets went and not why", async () => {
    const headers = key();
    const sandbox = fakeSandbox({ datasets: { second: { success: false, error: "canary" } } });
    const first = await sandbox.post(at(doc), team.member.key, {}, headers);
    expect(JSON.stringify(first.body.data.results)).toContain("canary");
    const replay = async (sender: string) => (await sandbox.post(at(doc), sender, {}, headers)).body.data;
    expect(await replay(team.admin.key)).toEqual(first.body.data);
    const other = await replay((await team.newMember()).key);
    expect(JSON.stringify(other)).not.toContain("canary");
    expect(Object.keys(other.results)).toEqual(Object.keys(first.body.data.results));
  });

  it("answers 409 while the first is under way", async () => {
    const headers = key();
    let twin: { status: number } | undefined;
    const sandbox = fakeSandbox({
      during: async () => void (twin = await sandbox.post(at(doc), team.member.key, {}, headers)),
    });
    expect((await sandbox.post(at(doc), team.member.key, {}, headers)).status).toBe(200);
    expect(twin!.status).toBe(409);
  });

  it("is free again when nothing ran, and after a day", async () => {
    const headers = key();
    expect((await fakeSandbox().post(at(doc), team.member.key, { datasetKeys: ["nope"] }, headers)).status).toBe(422);
    expect((await fakeSandbox({ refuse: "busy" }).post(at(doc), team.member.key, {}, headers)).status).toBe(503);
    expect(
      (await fakeSandbox().post(at(doc), team.member.key, {}, headers)).headers.get("idempotency-replayed"),
    ).toBeNull();
    expect((await fakeSandbox({ refuse: "not_found" }).post(at(doc), team.member.key, {}, key())).status).toBe(503);
    await env.DB.prepare("update idempotency_keys set created_at = ? where key = ?")
      .bind(new Date(Date.now() - DOC_LIMITS.idempotencyKeptMs - 1).toISOString(), headers["idempotency-key"])
      .run();
    expect(
      (await fakeSandbox().post(at(doc), team.member.key, {}, headers)).headers.get("idempotency-replayed"),
    ).toBeNull();
  });

  it("is refused where it is none", async () => {
    expect(await fakeSandbox().post(at(doc), team.member.key, {}, { "idempotency-key": "a b" })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/header/idempotency-key" }] } },
    });
  });
});

describe("Prefer: respond-async", () => {
  it("answers 202 with where the run is, and a repeat the same", async () => {
    const headers = { prefer: "respond-async", "idempotency-key": crypto.randomUUID() };
    const sandbox = fakeSandbox();
    const { status, headers: reported, body } = await sandbox.post(at(doc), team.member.key, {}, headers);
    expect([status, reported.get("location")]).toEqual([202, body.data.statusUrl]);
    const again = await sandbox.post(at(doc), team.member.key, {}, headers);
    expect([again.status, again.body.data.runId]).toEqual([202, body.data.runId]);
    const run = (await call("GET", body.data.statusUrl, { key: team.member.key })).body.data;
    expect(run).toMatchObject({ state: "succeeded", cause: "webhook", results: { third: { success: true } } });
  });
});

describe("a signed webhook", () => {
  const sign = async (secret: string, id: string, timestamp: string, body: string): Promise<string> => {
    const raw = Uint8Array.from(atob(secret.slice("whsec_".length)), (character) => character.charCodeAt(0));
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${timestamp}.${body}`));
    return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
  };
  const now = () => String(Math.floor(Date.now() / 1_000));

  it("runs when its signature fits, and only then", async () => {
    const id = await addDoc();
    const { secret } = (await call("PUT", `/v4/docs/${id}/webhook-secret`, { key: team.admin.key, body: {} })).body
      .data;
    const sandbox = fakeSandbox();
    const text = `{"data": "${"x".repeat(200_000)}"}`;
    const post = (headers: Record<string, string>, raw = text) =>
      callWith(sandbox.bindings, "POST", at(id), {
        key: team.member.key,
        raw,
        headers: { "content-type": "application/json", ...headers },
      });
    const message = crypto.randomUUID();
    const headers = {
      "webhook-id": message,
      "webhook-timestamp": now(),
      "webhook-signature": `v1,AAAA ${await sign(secret, message, now(), text)}`,
    };
    expect((await post({})).status).toBe(401);
    expect((await post(headers, `${text} `)).status).toBe(401);
    expect((await post({ ...headers, "webhook-timestamp": String(Number(now()) - 400) })).status).toBe(401);
    expect(sandbox.seen.orders).toEqual([]);
    expect((await post(headers)).status).toBe(200);
    expect((await post(headers)).headers.get("idempotency-replayed")).toBe("true");
    expect(sandbox.seen.envelopes.at(-1)!.text).toBe(text);

    expect((await call("DELETE", `/v4/docs/${id}/webhook-secret`, { key: team.admin.key })).status).toBe(204);
    expect((await post({})).status).toBe(200);
    const stored = await env.DB.prepare("select * from docs where id = ?").bind(id).first();
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6, 20));
  });

  it("has a secret that is the base64 of a key, of 24 to 64 bytes", async () => {
    const id = await addDoc();
    const set = (secret: string) =>
      call("PUT", `/v4/docs/${id}/webhook-secret`, { key: team.admin.key, body: { secret } });
    const ofBytes = (bytes: number) => `whsec_${btoa("k".repeat(bytes))}`;
    for (const secret of [ofBytes(24), ofBytes(32), ofBytes(32).replace(/=+$/, ""), ofBytes(64)])
      expect([secret, (await set(secret)).status]).toEqual([secret, 200]);
    // What is no base64 would decode to an empty key, with which anybody signs.
    for (const secret of [
      ofBytes(23),
      ofBytes(65),
      `whsec_${"a".repeat(33)}`,
      `whsec_${"a".repeat(32)}=`,
      ofBytes(32).slice(6),
    ])
      expect([secret, (await set(secret)).status]).toEqual([secret, 422]);
  });
});

refusesStrangers("executeWebhook", (key) => fakeSandbox().post(at(crypto.randomUUID()), key, {}), {
  right: "docs:run",
});
refusesStrangers(
  "updateTeamSettings",
  (key) => call("PATCH", "/v4/team/settings", { key, body: { sandbox_internet: true } }),
  { right: "team:manage" },
);
