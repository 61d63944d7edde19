// Where a session's cookie counts: on which paths, and from where.

import { env as bindings } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openClients } from "../../../../../src/clients/clients.ts";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { findSessionCaller } from "../../../../../src/features/teams/sessions/find-caller.ts";
import { forgetCallers } from "../../../../../src/features/teams/keys/find-caller.ts";
import { listOperations } from "../../../../support/unit/conformance.ts";
import { send } from "../../../../support/unit/http.ts";
import { OWN_PAGE, signIn } from "../../../../support/unit/sign-in/session.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;
const clients = openClients(env);

let team: TestTeam;
let session: Record<string, string>;
beforeAll(async () => {
  team = await newTeam();
  session = await signIn({ api_key: team.admin.key });
});

const statusOf = async (path: string, headers: Record<string, string>, method = "GET"): Promise<number> => {
  const response = await send(method, path, { headers, ...(method === "GET" ? {} : { body: [] }) });
  await response.body?.cancel();
  return response.status;
};

/** What a browser of a page of ours says on these paths is heard. */
const TAKES = /^\/(v1\/(query|api|store)|v3|v4)(\/|$)/;

describe("a session's cookie", () => {
  it("stands for a key on the operations of the console, and on no others", async () => {
    const operations = (await listOperations()).filter(
      ({ isPublic, permission }) => !isPublic && permission !== "own_check" && permission !== "platform:operate",
    );
    const taken = await Promise.all(
      operations.map(async ({ method, path, operationId }) => {
        const at = path.replaceAll(/\{\w+\}/g, () => crypto.randomUUID());
        const status = await statusOf(at, session, method);
        return { operationId, path, isRefused: status === 401 || status === 403 };
      }),
    );
    expect(taken.length).toBeGreaterThan(150);
    expect(taken.filter(({ path, isRefused }) => TAKES.test(path) === isRefused)).toEqual([]);
    expect(taken.filter(({ path }) => !TAKES.test(path)).length).toBeGreaterThan(10);
  });

  it.each([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another host of the site", { "sec-fetch-site": "same-site" }],
    ["an address that was typed, or a link of elsewhere", { "sec-fetch-site": "none" }],
    ["who says nothing", {}],
    ["another origin", { origin: "https://evil.test" }],
    ["another site that claims our origin", { "sec-fetch-site": "cross-site", origin: "https://fjord.test" }],
  ])("does not count from %s, for reads too", async (_, headers) => {
    const { cookie } = session;
    expect(await statusOf("/v4/me", { cookie: cookie!, ...(headers as Record<string, string>) })).toBe(401);
    expect(await statusOf("/v3/drive/files", { cookie: cookie!, ...(headers as Record<string, string>) })).toBe(403);
  });

  it("counts from a page of ours in a browser that names the origin alone", async () => {
    expect(await statusOf("/v4/me", { cookie: session["cookie"]!, origin: "https://fjord.test" })).toBe(200);
  });

  it("does not count beside a key, good or bad: who sends one means it", async () => {
    expect(await statusOf("/v4/me", { ...session, authorization: "Bearer nonsense" })).toBe(401);
    expect(await statusOf("/v4/me", { ...session, authorization: "Basic eDp5" })).toBe(401);
    const response = await send("GET", "/v4/me", { headers: session, key: team.member.key });
    expect(await response.json()).toMatchObject({ data: { user: { id: team.member.id }, session_id: null } });
  });

  it("does not count under the name that plain http has, nor changed, nor unknown", async () => {
    const token = session["cookie"]!.split("=")[1]!;
    for (const cookie of [
      `fjord=${token}`,
      `__Host-fjord=${token}x`,
      `__Host-fjord=${"A".repeat(43)}`,
      "__Host-fjord=",
    ])
      expect([cookie, await statusOf("/v4/me", { ...OWN_PAGE, cookie })]).toEqual([cookie, 401]);
    expect(await statusOf("/v4/me", { ...OWN_PAGE, cookie: `other=1; __Host-fjord=${token}; more=2` })).toBe(200);
  });

  it("lets no other origin read answers that were asked for with it", async () => {
    const { headers } = await send("GET", "/v4/me", { headers: { ...session, origin: "https://fjord.test" } });
    expect(headers.has("access-control-allow-credentials")).toBe(false);
  });
});

describe("a session that is not used", () => {
  const caller = async (afterMs: number) => {
    forgetCallers(() => true);
    return findSessionCaller(clients, session["cookie"]!.split("=")[1]!, new Date(Date.now() + afterMs));
  };
  const usedAt = () =>
    env.DB.prepare("select used_at from sessions where team_id = ? order by id desc")
      .bind(team.id)
      .first<string>("used_at");

  it("is over after seven days; a use begins them anew, and is written down once an hour", async () => {
    const { sessionIdleMs, sessionUseEveryMs, sessionMs } = TEAM_LIMITS;
    const before = await usedAt();
    expect(await caller(sessionUseEveryMs - 60_000)).toBeDefined();
    expect(await usedAt()).toBe(before);
    expect(await caller(sessionIdleMs + 60_000)).toBeUndefined();
    expect(await caller(sessionIdleMs - 60_000)).toBeDefined();
    expect(await usedAt()).not.toBe(before);
    expect(await caller(2 * sessionIdleMs - 120_000)).toBeDefined();
    expect(await caller(3 * sessionIdleMs - 180_000)).toBeDefined();
    expect(await caller(4 * sessionIdleMs - 240_000)).toBeDefined();
    // Thirty days are the end, however it is used.
    expect(await caller(sessionMs + 1_000)).toBeUndefined();
  });
});
