// Passkeys: who may make one, and that nothing signs in but what the authenticator has signed here, now, and once.

import { env as bindings } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { TEAM_LIMITS } from "../../../../../src/features/teams/limits.ts";
import { newId } from "../../../../../src/core/ids.ts";
import { refusesStrangers } from "../../../../support/unit/access.ts";
import { call, type Answer } from "../../../../support/unit/http.ts";
import {
  Authenticator,
  base64url,
  cborBytes,
  cborText,
  type AuthenticatorSettings,
} from "../../../../support/unit/sign-in/authenticator.ts";
import { callIn, OWN_PAGE, postSession, signIn } from "../../../../support/unit/sign-in/session.ts";
import { newTeam, type TestTeam } from "../../../../support/unit/team.ts";

const env = bindings as Env;
type Session = Record<string, string>;

const beginIn = async (session: Session) => (await callIn(session, "POST", "/v4/passkeys/challenge")).body.data;
const begin = async () => (await call("POST", "/v4/session/passkey", { headers: OWN_PAGE })).body.data;

/** Makes a passkey in a session, from the browser's part to the platform's. */
async function register(session: Session, device: Authenticator): Promise<Answer> {
  const { token, options } = await beginIn(session);
  const response = await device.create(options);
  return callIn(session, "POST", "/v4/passkeys", { body: { name: "Laptop", token, response } });
}

async function newPasskey(settings: AuthenticatorSettings = {}) {
  const team = await newTeam();
  const session = await signIn({ api_key: team.member.key });
  const device = new Authenticator(settings);
  const made = await register(session, device);
  expect(made.status).toBe(201);
  return { team, session, device, passkey: made.body.data as { id: string } };
}

/** What the device signs of a challenge that was asked for now. */
async function answerOf(device: Authenticator) {
  const { token, options } = await begin();
  return { token, response: await device.get(options) };
}

const refused = { status: 401, body: { error: { code: "auth_invalid_token" } } };
const eventsOf = async (team: TestTeam, action: string) =>
  (await env.DB.prepare("select * from audit_events where team_id = ? and action = ?").bind(team.id, action).all())
    .results;

refusesStrangers("listUserPasskeys", (key) => call("GET", `/v4/users/${newId()}/passkeys`, { key }), {
  right: "team:manage",
});

describe("createPasskey", () => {
  it("keeps what the browser of a person has made, which then signs in, and both are audited", async () => {
    const { team, session, device, passkey } = await newPasskey();
    expect((await callIn(session, "GET", "/v4/passkeys")).body.data.items).toMatchObject([
      { id: passkey.id, name: "Laptop", host: "fjord.test", used_at: null },
    ]);
    const signedIn = await postSession({ passkey: await answerOf(device) });
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.data).toMatchObject({
      user: { id: team.member.id },
      session: { method: "passkey", key_id: null },
    });
    const { items } = (await callIn(session, "GET", "/v4/passkeys")).body.data;
    expect(items[0].used_at).not.toBeNull();
    expect(await eventsOf(team, "passkey.create")).toMatchObject([
      { actor_id: team.member.id, subject_id: passkey.id },
    ]);
    expect((await eventsOf(team, "session.create")).length).toBe(2);
  });

  it("names the person, the host and the passkeys that are there already", async () => {
    const { session, device, team } = await newPasskey();
    const { options } = await beginIn(session);
    expect(options).toMatchObject({
      rp: { id: "fjord.test" },
      user: { id: base64url(new TextEncoder().encode(team.member.id)) },
      excludeCredentials: [{ id: device.id, transports: ["internal"] }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  });

  it("is for people in a browser: no key makes one, nor a session of a key that ends or has scopes", async () => {
    const team = await newTeam();
    expect((await call("POST", "/v4/passkeys/challenge", { key: team.member.key })).status).toBe(409);
    const end = new Date(Date.now() + 3_600_000).toISOString();
    for (const terms of [{ scopes: ["query"] }, { expires_at: end }]) {
      const path = `/v4/users/${team.member.id}/keys`;
      const { key } = (await call("POST", path, { key: team.admin.key, body: { name: "k", ...terms } })).body.data;
      expect((await callIn(await signIn({ api_key: key }), "POST", "/v4/passkeys/challenge")).status).toBe(403);
    }
  });

  it("takes a challenge once, and of its own user alone", async () => {
    const { team, session } = await newPasskey();
    const { token, options } = await beginIn(session);
    const [first, second] = [new Authenticator(), new Authenticator()];
    const make = async (device: Authenticator, as: Session) =>
      callIn(as, "POST", "/v4/passkeys", { body: { name: "x", token, response: await device.create(options) } });
    const other = await signIn({ api_key: team.admin.key });
    expect((await make(first, other)).status).toBe(401);
    expect((await make(first, session)).status).toBe(201);
    expect((await make(second, session)).status).toBe(422);
    const signing = (await begin()).token;
    const response = await second.create(options);
    const mixed = await callIn(session, "POST", "/v4/passkeys", { body: { name: "x", token: signing, response } });
    expect(mixed.status).toBe(401);
  });

  const certificate = Uint8Array.of(0xa1, ...cborText("x5c"), 0x81, ...cborBytes(new Uint8Array(40)));
  it.each([
    ["made for another origin", { origin: "https://evil.test" }],
    ["made without looking at the person", { isUserVerified: false }],
    ["attested by a maker's certificate", { attestation: { format: "packed", statement: certificate } }],
    [
      "of a format that asks hosts of elsewhere",
      { attestation: { format: "android-safetynet", statement: Uint8Array.of(0xa0) } },
    ],
    ["attested by nothing that was signed", { attestation: { format: "packed", statement: Uint8Array.of(0xa0) } }],
  ])("refuses one %s", async (_, settings: AuthenticatorSettings) => {
    const { member } = await newTeam();
    const session = await signIn({ api_key: member.key });
    expect((await register(session, new Authenticator(settings))).status).toBe(422);
    expect((await callIn(session, "GET", "/v4/passkeys")).body.data.total).toBe(0);
  });

  it("refuses one that is known, and more than a user may have", async () => {
    const { session, team, device } = await newPasskey();
    const { token, options } = await beginIn(session);
    const again = await device.create(options);
    expect(
      (await callIn(session, "POST", "/v4/passkeys", { body: { name: "x", token, response: again } })).status,
    ).toBe(422);
    await env.DB.prepare(
      `insert into passkeys (id, team_id, user_id, name, credential_id, public_key, uses, transports, host, created_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
       select hex(randomblob(16)), ?2, ?3, 'x', hex(randomblob(16)), '', 0, '[]', 'fjord.test', '2000' from n`,
    )
      .bind(TEAM_LIMITS.passkeysPerUserMax - 1, team.id, team.member.id)
      .run();
    expect((await register(session, new Authenticator())).status).toBe(422);
  });
});

describe("signing in by a passkey", () => {
  it("takes a challenge once, of many answers at once", async () => {
    const { device } = await newPasskey();
    const passkey = await answerOf(device);
    const answers = await Promise.all([1, 2, 3, 4].map(() => postSession({ passkey })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await postSession({ passkey })).toMatchObject(refused);
  });

  it("is refused for a challenge that is late, changed, or was another's", async () => {
    const { device, session } = await newPasskey();
    const [one, two] = [await answerOf(device), await answerOf(device)];
    expect(await postSession({ passkey: { ...one, token: two.token } })).toMatchObject(refused);
    expect(await postSession({ passkey: { ...one, token: `${one.token.slice(0, -2)}xx` } })).toMatchObject(refused);
    const registration = (await beginIn(session)).token;
    expect(await postSession({ passkey: { ...one, token: registration } })).toMatchObject(refused);
    const { openTokens } = await import("../../../../../src/platform/crypto/token.ts");
    const [challenge, userId, purpose] = ["late", null, "passkey_sign_in"] as const;
    const token = await openTokens(env).mint({
      use: "challenge",
      purpose,
      challenge,
      userId,
      expiresAt: Date.now() - 1,
    });
    const response = await device.get({ challenge, rpId: "fjord.test" });
    expect(await postSession({ passkey: { token, response } })).toMatchObject(refused);
  });

  it("is refused where another key has signed, at another origin, unseen, or for another user", async () => {
    const { device } = await newPasskey();
    const good = await answerOf(device);
    const { response } = good.response;
    const change = (parts: object) => ({
      ...good,
      response: { ...good.response, response: { ...response, ...parts } },
    });
    const other = base64url(new TextEncoder().encode(newId()));
    const otherAnswer = async () => answerOf((await newPasskey({ counter: 9 })).device);
    for (const parts of [
      { signature: base64url(new Uint8Array(70)) },
      { userHandle: other },
      { authenticatorData: (await otherAnswer()).response.response.authenticatorData },
      { clientDataJSON: base64url(new TextEncoder().encode("{}")) },
    ])
      expect(await postSession({ passkey: change(parts) })).toMatchObject(refused);
    for (const settings of [{ origin: "https://evil.test" }, { isUserVerified: false }]) {
      const known = await newPasskey();
      Object.assign(known.device.settings, settings);
      expect(await postSession({ passkey: await answerOf(known.device) })).toMatchObject(refused);
    }
    expect((await postSession({ passkey: good })).status).toBe(200);
  });

  it("is refused to a copy of an authenticator that counts, once its count was seen", async () => {
    const { device } = await newPasskey({ counter: 5 });
    device.settings.counter = 6;
    expect((await postSession({ passkey: await answerOf(device) })).status).toBe(200);
    for (const counter of [6, 3, 0]) {
      device.settings.counter = counter;
      expect(await postSession({ passkey: await answerOf(device) })).toMatchObject(refused);
    }
    device.settings.counter = 7;
    expect((await postSession({ passkey: await answerOf(device) })).status).toBe(200);
  });

  it("is refused once the passkey was forgotten, or its user is gone", async () => {
    const { device, session, passkey } = await newPasskey();
    expect((await callIn(session, "DELETE", `/v4/passkeys/${passkey.id}`)).status).toBe(204);
    expect(await postSession({ passkey: await answerOf(device) })).toMatchObject(refused);
    const gone = await newPasskey();
    await call("DELETE", `/v4/users/${gone.team.member.id}`, { key: gone.team.admin.key });
    expect(await postSession({ passkey: await answerOf(gone.device) })).toMatchObject(refused);
  });

  it("is offered where browsers have passkeys, and begins for pages of ours alone", async () => {
    expect((await call("GET", "/v4/session/ways")).body.data).toMatchObject({
      api_key: true,
      link: true,
      passkey: true,
    });
    const foreign = await call("POST", "/v4/session/passkey", { headers: { "sec-fetch-site": "cross-site" } });
    expect(foreign.status).toBe(403);
    const { takesPasskeys } = await import("../../../../../src/features/teams/passkeys/passkey.ts");
    const hosts = ["https://a.test", "http://localhost:1", "http://127.0.0.1:1", "https://[::1]", "http://a.test"];
    expect(hosts.map((host) => takesPasskeys(new URL(host)))).toEqual([true, true, false, false, false]);
  });
});

describe("deletePasskey", () => {
  it("forgets one's own; another's for who manages the team; an operator's for operators alone", async () => {
    const { team, passkey } = await newPasskey();
    const other = await team.newMember();
    const path = `/v4/passkeys/${passkey.id}`;
    expect((await call("DELETE", path, { key: other.key })).status).toBe(404);
    expect((await call("GET", `/v4/users/${team.member.id}/passkeys`, { key: team.admin.key })).body.data.total).toBe(
      1,
    );
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(team.member.id).run();
    expect((await call("DELETE", path, { key: team.admin.key })).status).toBe(403);
    await env.DB.prepare("update users set is_operator = 0 where id = ?").bind(team.member.id).run();
    expect((await call("DELETE", path, { key: team.admin.key })).status).toBe(204);
    expect(await eventsOf(team, "passkey.delete")).toMatchObject([{ actor_id: team.admin.id, subject_id: passkey.id }]);
  });
});
