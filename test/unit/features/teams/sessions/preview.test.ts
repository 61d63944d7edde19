// Whom a key or a link would sign in is told before anybody confirms it, and the link still works afterwards.

import { env as bindings } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { call } from "../../../../support/unit/http.ts";
import { OWN_PAGE, postSession, somewhere } from "../../../../support/unit/sign-in/session.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;
let operator: TestTeam;
beforeAll(async () => {
  operator = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.admin.id).run();
});

const preview = (body: unknown, headers: Record<string, string> = OWN_PAGE) =>
  call("POST", "/v4/session/preview", { body, headers: { ...somewhere(), ...headers } });
const newLink = async ({ id }: TestTeam): Promise<string> => {
  const { body } = await call("POST", `/v4/admin/teams/${id}/magic-link`, { key: operator.admin.key });
  return new URL(body.data.url).hash.slice(1);
};
const rowsOf = ({ id }: TestTeam) =>
  Promise.all(
    ["magic_links", "sessions", "audit_events", "api_keys"].map(
      async (table) => (await env.DB.prepare(`select * from ${table} where team_id = ?`).bind(id).all()).results,
    ),
  );

describe("previewSignIn", () => {
  it("names the user and the team of a link, any number of times, and the link still signs in once", async () => {
    const team = await newTeam();
    const link = await newLink(team);
    const before = await rowsOf(team);
    const answers = [await preview({ link }), await preview({ link })];
    expect(await rowsOf(team)).toEqual(before);
    const signedIn = await postSession({ link });
    const { user, team: theirs } = signedIn.body.data;
    for (const answer of answers) {
      expect([answer.status, answer.body.data]).toEqual([200, { user, team: theirs }]);
      expect(answer.headers.has("set-cookie")).toBe(false);
    }
    expect([user.id, theirs]).toEqual([team.admin.id, { id: team.id, name: team.name }]);
    expect((await preview({ link })).status).toBe(401);
  });

  it("names those of a key", async () => {
    const team = await newTeam();
    const { body } = await preview({ api_key: team.member.key });
    expect(body.data).toMatchObject({ user: { id: team.member.id, name: "Ada" }, team: { id: team.id } });
  });

  it("answers in the same words whatever is the matter, as signing in does", async () => {
    const [team, gone] = [await newTeam(), await newTeam()];
    const [used, expired, theirs] = [await newLink(team), await newLink(operator), await newLink(gone)];
    await postSession({ link: used });
    await env.DB.prepare("update magic_links set expires_at = '2000' where team_id = ?").bind(operator.id).run();
    await call("DELETE", `/v4/admin/teams/${gone.id}`, { key: operator.admin.key });
    const answers = await Promise.all(
      [
        ...[{ link: "x" }, { link: used }, { link: expired }, { link: theirs }],
        ...[{ api_key: "x" }, { api_key: `${team.admin.id}-${"A".repeat(32)}` }, { api_key: gone.admin.key }],
      ].flatMap((body) => [preview(body), postSession(body)]),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.error.code} ${body.message}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(401);
  });

  it("is for pages of the platform alone, and takes no other proof", async () => {
    const { admin } = await newTeam();
    for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { origin: "https://evil.test" }])
      expect((await preview({ api_key: admin.key }, headers as Record<string, string>)).status).toBe(403);
    for (const body of [{}, { access: true }, { api_key: admin.key, link: "x" }])
      expect((await preview(body)).status).toBe(422);
  });

  it("counts as a try to sign in", async () => {
    const from = { ...OWN_PAGE, "cf-connecting-ip": "2001:db8:77::1" };
    await env.DB.prepare("delete from sign_in_tries").run();
    expect((await postSession({ api_key: "x" }, from)).status).toBe(401);
    await env.DB.prepare("update sign_in_tries set tries = ?")
      .bind(TEAM_LIMITS.signInTriesMax - 1)
      .run();
    expect((await preview({ api_key: "x" }, from)).status).toBe(401);
    expect((await preview({ api_key: "x" }, from)).status).toBe(429);
    expect((await postSession({ api_key: "x" }, from)).status).toBe(429);
  });
});
