// The first operator, and what operators do. One file, since the platform has one set of operators.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  createFirstOperator,
  requireBootstrapSecret,
} from "../../../../src/features/teams/bootstrap/create-first-operator.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { openSettings } from "../../../../src/platform/settings.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const FOUNDER = { team_name: "Operations", domain: "ops.example.com", name: "Olga", email: "olga@example.com" };
const bootstrap = (secret: string | undefined, body: unknown = FOUNDER) =>
  call("POST", "/v4/admin/bootstrap", { key: secret, body });

let key: string;

/** Bindings under which no batch is written before as many have been decided on: every caller has seen no operator. */
let arrived = 0;
const meeting = (callers: number): Env => ({
  ...env,
  DB: {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      arrived++;
      await vi.waitUntil(() => arrived >= callers, { timeout: 60_000, interval: 5 });
      return env.DB.batch(statements);
    },
  } as unknown as D1Database,
});

beforeAll(async () => {
  const before = await Promise.all([
    bootstrap(undefined),
    bootstrap("wrong"),
    bootstrap(`${env.BOOTSTRAP_SECRET} x`),
    bootstrap("x".repeat(10_000)),
  ]);
  expect(before.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  // Nobody's body is read before the secret is.
  expect((await bootstrap("wrong", { ...FOUNDER, email: "x" })).status).toBe(401);
  expect((await bootstrap(env.BOOTSTRAP_SECRET, { ...FOUNDER, email: "x" })).status).toBe(422);

  const racing = await Promise.allSettled(
    [1, 2, 3].map(() => createFirstOperator(openClients(meeting(3)), FOUNDER, new Date())),
  );
  const won = racing.filter((outcome) => outcome.status === "fulfilled");
  const lost = racing.filter((outcome) => outcome.status === "rejected");
  expect([won.length, lost.map(({ reason }) => reason.code)]).toEqual([1, ["resource_conflict", "resource_conflict"]]);
  key = won[0]!.value.api_key.key;
});

describe("createFirstOperator", () => {
  it("mints one operator, however many ask at once, with an enterprise team and its lake", async () => {
    const { data } = (await call("GET", "/v4/me", { key })).body;
    expect(data).toMatchObject({ is_operator: true, role: "admin", team: { name: "Operations" } });
    expect((await call("GET", `/v4/admin/teams/${data.team.id}`, { key })).body.data).toMatchObject({
      plan: "enterprise",
      domain: "ops.example.com",
    });
    const lakes = await env.DB.prepare("select type, is_default from integrations where team_id = ?")
      .bind(data.team.id)
      .all();
    expect(lakes.results).toEqual([{ type: "lake", is_default: 1 }]);
  });

  it("leaves nothing of the calls that lost", async () => {
    const count = (table: string) =>
      env.DB.prepare(
        `select count(*) as n from ${table} where team_id in (select id from teams where name = 'Operations')`,
      ).first("n");
    expect(await env.DB.prepare("select count(*) as n from teams where name = 'Operations'").first("n")).toBe(1);
    expect([
      await count("users"),
      await count("api_keys"),
      await count("integrations"),
      await count("audit_events"),
    ]).toEqual([1, 1, 1, 1]);
    expect(
      await env.DB.prepare("select count(*) as n from integrations where team_id not in (select id from teams)").first(
        "n",
      ),
    ).toBe(0);
  });

  it.each([undefined, "", "undefined"])("lets nobody in where no secret is set: %j", async (given) => {
    const attempt = requireBootstrapSecret({ settings: openSettings({ ...env, BOOTSTRAP_SECRET: "" }) }, given);
    await expect(attempt).rejects.toMatchObject({ code: "auth_invalid_token" });
  });

  it("answers 409 from then on, with the right secret, and still 401 with a wrong one", async () => {
    expect((await bootstrap(env.BOOTSTRAP_SECRET)).body.error.code).toBe("resource_conflict");
    expect((await bootstrap("wrong")).status).toBe(401);
  });
});

refusesStrangers("listTeams", (strange) => call("GET", "/v4/admin/teams", { key: strange }), {
  right: "platform:operate",
});
refusesStrangers("getTeam", (strange) => call("GET", `/v4/admin/teams/${crypto.randomUUID()}`, { key: strange }), {
  right: "platform:operate",
});
refusesStrangers(
  "createTeam",
  (strange) =>
    call("POST", "/v4/admin/teams", {
      key: strange,
      body: { name: "T", admin: { name: "A", email: "a@example.com" } },
    }),
  { right: "platform:operate" },
);

describe("createTeam", () => {
  it("opens a team with its own lake, an admin, and a key that works", async () => {
    const { status, body } = await call("POST", "/v4/admin/teams", {
      key,
      body: { name: " Acme ", domain: "ACME.com", admin: { name: "Ada", email: "Ada@acme.com" } },
    });
    expect(status).toBe(201);
    expect(body.data.team).toMatchObject({ name: "Acme", domain: "acme.com", plan: "free" });
    const me = await call("GET", "/v4/me", { key: body.data.api_key.key });
    expect(me.body.data).toMatchObject({
      team: { id: body.data.team.id },
      role: "admin",
      is_operator: false,
      user: { email: "ada@acme.com" },
    });
    const lakes = await env.DB.prepare("select is_default from integrations where team_id = ? and type = 'lake'")
      .bind(body.data.team.id)
      .all();
    expect(lakes.results).toEqual([{ is_default: 1 }]);
  });

  it("names each flaw, those of the admin too", async () => {
    const { status, body } = await call("POST", "/v4/admin/teams", {
      key,
      body: { name: "", domain: "no domain", plan: "gold", admin: { name: "A" } },
    });
    expect(status).toBe(422);
    expect(body.error.flaws.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      "/admin/email",
      "/domain",
      "/name",
      "/plan",
    ]);
  });
});

describe("getTeam", () => {
  it.each([crypto.randomUUID(), "no-uuid", "%27%20or%201"])("answers 404 where there is none: %s", async (id) => {
    expect((await call("GET", `/v4/admin/teams/${id}`, { key })).body.error.code).toBe("resource_not_found");
  });
});

describe("updateTeam", () => {
  const create = async () =>
    (
      await call("POST", "/v4/admin/teams", {
        key,
        body: { name: "Acme", domain: "acme.example", admin: { name: "Ada", email: "ada@acme.example" } },
      })
    ).body.data;
  const update = (id: string, body: unknown) => call("PATCH", `/v4/admin/teams/${id}`, { key, body });

  it("changes what is sent and nothing else, and is found and shown by it at once", async () => {
    const { team, api_key: theirs } = await create();
    expect((await call("GET", "/v4/me", { key: theirs.key })).body.data.team.name).toBe("Acme");
    const changed = await update(team.id, { name: "Ørsted Δίας", plan: "standard" });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({ name: "Ørsted Δίας", domain: "acme.example", plan: "standard" });
    expect((await update(team.id, { domain: null })).body.data).toMatchObject({ name: "Ørsted Δίας", domain: null });
    expect((await call("GET", "/v4/me", { key: theirs.key })).body.data.team.name).toBe("Ørsted Δίας");
    const found = await call("GET", `/v4/admin/teams?search=${encodeURIComponent("ØRSTED ΔΊΑΣ")}`, { key });
    expect(found.body.data.items.map(({ id }: { id: string }) => id)).toEqual([team.id]);
  });

  it("is audited in the team, with what was and what is, as an operator's", async () => {
    const { team } = await create();
    await update(team.id, { plan: "trial" });
    const event = await env.DB.prepare(
      "select team_id, subject_id, before, after, is_by_operator from audit_events where action = 'team.update' and subject_id = ?",
    )
      .bind(team.id)
      .first();
    expect(event).toMatchObject({ team_id: team.id, is_by_operator: 1 });
    expect(JSON.parse(event!.before as string)).toMatchObject({ plan: "free" });
    expect(JSON.parse(event!.after as string)).toMatchObject({ plan: "trial" });
  });

  it.each([{}, { plan: "gold" }, { domain: "no domain" }, { name: "" }, { id: "x" }, null])(
    "refuses %j",
    async (body) => {
      const { team } = await create();
      expect((await update(team.id, body)).status).toBe(422);
    },
  );

  it("answers 404 where there is no such team, and audits nothing", async () => {
    const id = crypto.randomUUID();
    expect((await update(id, { plan: "trial" })).status).toBe(404);
    expect(await env.DB.prepare("select 1 from audit_events where subject_id = ?").bind(id).first()).toBeNull();
  });
});

describe("listTeams", () => {
  const marker = crypto.randomUUID().slice(0, 8);
  const list = async (query: string) =>
    (await call("GET", `/v4/admin/teams?search=${marker}&${query}`, { key })).body.data;
  const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name.split(" ")[0]);

  beforeAll(async () => {
    for (const [name, domain, plan] of [
      ["one", "b.example", "free"],
      ["two", null, "trial"],
      ["three", "a.example", "standard"],
    ]) {
      await call("POST", "/v4/admin/teams", {
        key,
        body: { name: `${name} ${marker}`, domain, plan, admin: { name: "A", email: "a@example.com" } },
      });
    }
  });

  it("shows the newest first unless told otherwise, by the specification's defaults", async () => {
    const page = await list("");
    expect(names(page)).toEqual(["three", "two", "one"]);
    expect(page).toMatchObject({ total: 3, limit: 100, offset: 0 });
    expect(names(await list("ascending=true"))).toEqual(["one", "two", "three"]);
  });

  it("orders by domain and by plan", async () => {
    expect(names(await list("orderBy=domain&ascending=true"))).toEqual(["two", "three", "one"]);
    expect(names(await list("orderBy=plan"))).toEqual(["two", "three", "one"]);
  });

  it("filters by one plan or several", async () => {
    expect(names(await list("plans=free"))).toEqual(["one"]);
    expect(names(await list("plans=free&plans=trial"))).toEqual(["two", "one"]);
    expect(names(await list(Array(200).fill("plans=free").join("&")))).toEqual(["one"]);
  });

  it("pages with a total of what matches", async () => {
    expect(await list("limit=1&offset=1")).toMatchObject({
      total: 3,
      limit: 1,
      offset: 1,
      items: [{ name: `two ${marker}` }],
    });
  });

  it("searches names and domains as plain text, without regard to case", async () => {
    const search = async (text: string) =>
      (await call("GET", `/v4/admin/teams?search=${encodeURIComponent(text)}&limit=250`, { key })).body.data;
    expect((await search(`ONE ${marker.toUpperCase()}`)).total).toBe(1);
    expect((await search("B.EXAMPLE")).items.map(({ name }: { name: string }) => name)).toContain(`one ${marker}`);
    expect((await search(`%${marker}`)).total).toBe(0);
    expect((await search("x".repeat(200))).total).toBe(0);
  });

  it.each([
    ["of Latin letters with marks", "Ærø Čáp", "ÆRØ ČÁP"],
    ["composed otherwise", "Ångström", "A\u030angstro\u0308m"],
    ["in Greek, with a sigma that ends no word", "ΟΔΟΣΑ", "οδος"],
    ["in Cyrillic", "Жёлтый Дом", "жЁЛТЫЙ"],
    ["of a sharp s", "Weiße Straße", "WEISSE STRASSE"],
    ["of a Turkish capital", "İstanbul", "istanbul"],
    ["in Georgian", "ქართული", "ᲥᲐᲠᲗᲣᲚᲘ"],
    ["of wildcards", "100%_\\*?[a]", "%_\\*?[A]"],
    ["of emoji", "👩‍👩‍👧‍👦 Family 🦊", "👦 family 🦊"],
    ["of quotes", 'O\'Neill "& Sons"; --', 'o\'neill "& sons"; --'],
    ["of two hundred Chinese characters", "数".repeat(199) + "据", "数".repeat(199) + "据"],
    ["of two hundred characters that are two units each", "🦊".repeat(100), "🦊".repeat(100)],
  ])("finds a name %s", async (_, name, search) => {
    const body = { name, admin: { name: "A", email: "a@example.com" } };
    const { team } = (await call("POST", "/v4/admin/teams", { key, body })).body.data;
    const found = await call("GET", `/v4/admin/teams?search=${encodeURIComponent(search)}`, { key });
    expect(found.body.data.items.map(({ id }: { id: string }) => id)).toEqual([team.id]);
  });

  it("takes two hundred characters of any script to search by, and not one more", async () => {
    const search = (text: string) => call("GET", `/v4/admin/teams?search=${encodeURIComponent(text)}`, { key });
    expect((await search("🦊".repeat(200))).status).toBe(200);
    expect((await search("🦊".repeat(201))).status).toBe(422);
  });

  it.each([
    "limit=251",
    "limit=0",
    "orderBy=name",
    "plans=gold",
    "ascending=1",
    "search=",
    `search=${"x".repeat(201)}`,
  ])("refuses %s", async (query) => {
    const { status, body } = await call("GET", `/v4/admin/teams?${query}`, { key });
    expect([status, body.error.flaws[0].pointer.split("/")[2]]).toEqual([422, query.split("=")[0]]);
  });
});
