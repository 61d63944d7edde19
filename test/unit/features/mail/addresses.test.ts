// Addresses of nobody in the team: who asks them, what they are sent, and what they allow by it.

import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { createMailAddress } from "../../../../src/features/mail/addresses/create.ts";
import { MAIL_LIMITS } from "../../../../src/features/mail/limits.ts";
import { findRecipients } from "../../../../src/features/mail/recipients.ts";
import { sweepMail } from "../../../../src/features/mail/sweep.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { emailOf, lastMailTo, linkIn, mailsTo, useUpMails } from "../../../support/unit/mail/outbox.ts";
import { newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";

const clients = openClients(env);
const newAddress = () => `grace-${crypto.randomUUID()}@partner.example`;
const ask = (team: TestTeam, address: string) =>
  call("POST", "/v4/mail/addresses", { key: team.admin.key, body: { address } });
const stateOf = async (team: TestTeam, address: string) =>
  (await findRecipients(clients, team.id, [address])).get(address);
const list = async (team: TestTeam) =>
  (await call("GET", "/v4/mail/addresses", { key: team.admin.key })).body.data.items;
/** As if the address had been asked so long ago. */
const age = (address: string, ms: number) =>
  env.DB.batch(
    [
      "update mail_asks set asked_at = ?2 where address = ?1",
      "update mail_addresses set asked_at = ?2 where address = ?1",
    ].map((sql) => env.DB.prepare(sql).bind(address, new Date(Date.now() - ms).toISOString())),
  );

refusesStrangers(
  "createMailAddress",
  (key) => call("POST", "/v4/mail/addresses", { ...(key && { key }), body: { address: newAddress() } }),
  { right: "team:manage" },
);
refusesStrangers("listMailAddresses", (key) => call("GET", "/v4/mail/addresses", { key }), { right: "team:manage" });
refusesStrangers("deleteMailAddress", (key) => call("DELETE", `/v4/mail/addresses/${newId()}`, { key }), {
  right: "team:manage",
});

describe("createMailAddress", () => {
  it("sends a question whose link confirms by its button, and not by being opened", async () => {
    const [team, address] = [await newTeam(), newAddress()];
    const { status, body } = await ask(team, address.toUpperCase());
    expect([status, body.data]).toMatchObject([202, { address, state: "asked", confirmed_at: null }]);
    const mail = await lastMailTo(address);
    expect(mail.subject).toBe(`May "${team.name}" send mail to this address?`);
    expect(mail.html).toBeUndefined();
    const link = linkIn(mail, "/mail/confirm");
    for (const _ of "12") expect((await call("GET", link)).body).toContain(`Allow it</button>`);
    expect(await stateOf(team, address)).toBe("unknown");
    const confirmed = await call("POST", link);
    expect([confirmed.status, confirmed.body]).toEqual([200, expect.stringContaining("Mail is allowed")]);
    expect(await stateOf(team, address)).toBe("allowed");
    expect(await list(team)).toMatchObject([{ address, state: "confirmed" }]);
    expect((await call("POST", link)).status).toBe(200);
    expect((await ask(team, address)).body.data.state).toBe("confirmed");
    expect(await mailsTo(address)).toHaveLength(1);
    const token = link.split("/").at(-1)!;
    for (const table of ["mail_addresses", "audit_events"])
      expect(JSON.stringify((await env.DB.prepare(`select * from ${table}`).all()).results)).not.toContain(token);
  });

  it("allows nothing to another team, nor to another address", async () => {
    const [team, other, address] = [await newTeam(), await newTeam(), newAddress()];
    await ask(team, address);
    await call("POST", linkIn(await lastMailTo(address), "/mail/confirm"));
    expect(await stateOf(other, address)).toBe("unknown");
    expect(await stateOf(team, newAddress())).toBe("unknown");
    expect(await list(other)).toEqual([]);
  });

  it("asks an address once a day, whichever teams ask, how often they forget it, and all at once", async () => {
    const [team, other, address] = [await newTeam(), await newTeam(), newAddress()];
    const answers = await Promise.all([
      ask(team, address),
      ask(other, address),
      ask(team, address),
      ask(other, address),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429, 429]);
    for (const { id } of await list(team))
      expect((await call("DELETE", `/v4/mail/addresses/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await ask(team, address)).status).toBe(429);
    expect(await mailsTo(address)).toHaveLength(1);
    await age(address, MAIL_LIMITS.askEveryMs + 1_000);
    expect((await ask(other, address)).status).toBe(202);
    expect(await mailsTo(address)).toHaveLength(2);
  });

  it("ends the link before it when it asks anew", async () => {
    const [team, address] = [await newTeam(), newAddress()];
    await ask(team, address);
    const first = linkIn(await lastMailTo(address), "/mail/confirm");
    await age(address, MAIL_LIMITS.askEveryMs + 1_000);
    await ask(team, address);
    for (const method of ["GET", "POST"]) expect((await call(method, first)).status).toBe(404);
    expect((await call("POST", linkIn(await lastMailTo(address), "/mail/confirm"))).status).toBe(200);
    expect(await list(team)).toHaveLength(1);
  });

  it("refuses what is no address, a member's, and one that has unsubscribed", async () => {
    const team = await newTeam();
    for (const address of ["grace", "a@b.example\r\nBcc: c@d.example", "a@b.example, c@d.example", "a b@c.example", ""])
      expect((await ask(team, address)).status).toBe(422);
    expect((await ask(team, await emailOf(team.member.id))).body.error.code).toBe("resource_conflict");
    const address = newAddress();
    await ask(team, address);
    await call("POST", linkIn(await lastMailTo(address), "/mail/unsubscribe"));
    await age(address, MAIL_LIMITS.askEveryMs + 1_000);
    expect(await ask(team, address)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("unsubscribed") },
    });
    expect(await list(team)).toMatchObject([{ address, state: "unsubscribed" }]);
  });

  it("has a team's name as one line of text, whatever it is", async () => {
    const [team, address] = [await newTeam(), newAddress()];
    const name = "Acme\r\nBcc: mallory@evil.example\r\n\r\n<script>alert(1)</script>";
    await env.DB.prepare("update teams set name = ? where id = ?").bind(name, team.id).run();
    const scope = { ...scopeOf(team.id, team.admin.id, false), teamName: name };
    await createMailAddress({ ...clients, scope }, { address });
    const mail = await lastMailTo(address);
    expect([mail.bcc, mail.subject]).toEqual([
      undefined,
      expect.stringContaining("Acme Bcc: mallory@evil.example <script>"),
    ]);
    const { body } = await call("GET", linkIn(mail, "/mail/confirm"));
    expect(body).toContain("&lt;script&gt;alert(1)");
    expect(body).not.toContain("<script>");
  });

  it("asks nobody where mail is not set up, the team's mails are used up, or the mail is not taken", async () => {
    const [team, address] = [await newTeam(), newAddress()];
    const scope = scopeOf(team.id, team.admin.id, false);
    const make = (mail: object) =>
      createMailAddress({ ...clients, scope, mail: { ...clients.mail, ...mail } }, { address });
    await expect(make({ kind: "none" })).rejects.toMatchObject({ code: "mail_unavailable" });
    const failed = async () => ({ kind: "failed", error: "Cloudflare answered E_RATE_LIMIT_EXCEEDED." });
    await expect(make({ send: failed })).rejects.toMatchObject({
      code: "mail_unavailable",
      message: expect.stringContaining("E_RATE_LIMIT_EXCEEDED"),
    });
    await useUpMails(team.id);
    const late = await ask(team, address);
    expect([late.status, late.body.error.code]).toEqual([429, "too_many_requests"]);
    expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
    // Nothing of it counts as having been asked.
    expect((await ask(await newTeam(), address)).status).toBe(202);
    expect(await mailsTo(address)).toHaveLength(1);
  });

  it("has a link that ends, also when its address or its team is deleted", async () => {
    const [team, addresses] = [await newTeam(), [newAddress(), newAddress(), newAddress()]];
    for (const address of addresses) await ask(team, address);
    const links = await Promise.all(addresses.map(async (each) => linkIn(await lastMailTo(each), "/mail/confirm")));
    const [expired, deleted] = await list(team).then((items) =>
      addresses.map((each) => items.find(({ address }: { address: string }) => address === each)),
    );
    await env.DB.prepare("update mail_addresses set expires_at = ? where id = ?")
      .bind(new Date().toISOString(), expired.id)
      .run();
    await call("DELETE", `/v4/mail/addresses/${deleted.id}`, { key: team.admin.key });
    expect((await list(team)).map(({ state }: { state: string }) => state).sort()).toEqual(["asked", "expired"]);
    for (const link of links.slice(0, 2))
      for (const method of ["GET", "POST"]) expect((await call(method, link)).status).toBe(404);
    await env.DB.prepare("update teams set deleted_at = ? where id = ?").bind(new Date().toISOString(), team.id).run();
    expect((await call("POST", links[2]!)).status).toBe(404);
    expect((await call("POST", "/mail/confirm/made-up")).status).toBe(404);
  });

  it("keeps a team to its bound of addresses", async () => {
    const team = await newTeam();
    await fillAddresses(team.id);
    expect((await ask(team, newAddress())).body.error.code).toBe("business_quota_exceeded");
  });
});

const fillAddresses = (teamId: string) =>
  env.DB.prepare(
    `insert into mail_addresses (id, team_id, address, token_hash, asked_at, expires_at)
     select ?1 || value, ?1, value || '@partner.example', '', '', '' from json_each(?2)`,
  )
    .bind(teamId, JSON.stringify(Array.from({ length: MAIL_LIMITS.mailAddressesPerTeamMax }, (_, index) => index)))
    .run();

describe("unsubscribing", () => {
  const newUnsubscribing = async () => {
    const [team, address] = [await newTeam(), newAddress()];
    await ask(team, address);
    const mail = await lastMailTo(address);
    await call("POST", linkIn(mail, "/mail/confirm"));
    return { team, address, mail, link: linkIn(mail, "/mail/unsubscribe") };
  };

  it("is one POST without a key, as mail programs send it, and does nothing when the link is opened", async () => {
    const { team, address, mail, link } = await newUnsubscribing();
    const header = mail.headers.find(({ key }) => key === "list-unsubscribe")!.value;
    expect(new URL(header.slice(1, -1)).pathname).toBe(link);
    expect((await call("GET", link)).body).toContain("Unsubscribe</button>");
    expect(await stateOf(team, address)).toBe("allowed");
    const { status } = await call("POST", link, {
      raw: "List-Unsubscribe=One-Click",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([status, await stateOf(team, address)]).toEqual([200, "unsubscribed"]);
    expect((await call("POST", link)).status).toBe(200);
  });

  it("is taken back by the same link, which allows nothing that was not allowed", async () => {
    const { team, address, link } = await newUnsubscribing();
    await call("POST", link);
    expect((await call("POST", link.replace("unsubscribe", "subscribe"))).status).toBe(200);
    expect(await stateOf(team, address)).toBe("allowed");
    const [asked] = [newAddress()];
    await ask(team, asked);
    await call("POST", linkIn(await lastMailTo(asked), "/mail/unsubscribe").replace("unsubscribe", "subscribe"));
    expect(await stateOf(team, asked)).toBe("unknown");
  });

  it("says the same of links that are none, and changes nothing by them", async () => {
    const { team, address, link } = await newUnsubscribing();
    const token = link.split("/").at(-1)!;
    const pages = new Set<string>();
    const altered = `${token.slice(0, -3)}AAA`;
    const expired = await clients.tokens.mint({
      use: "unsubscribe",
      teamId: team.id,
      address,
      expiresAt: Date.now() - 1,
    });
    const other = await clients.tokens.mint({ use: "drive", teamId: team.id, expiresAt: Date.now() + 60_000 });
    for (const none of [altered, expired, other, "made-up", "a.b.c"])
      for (const verb of ["unsubscribe", "subscribe"]) {
        const { status, body } = await call("POST", `/mail/${verb}/${none}`);
        const real = await call("POST", `/mail/subscribe/${token}`);
        expect([status, real.status]).toEqual([200, 200]);
        if (verb === "subscribe") expect(textOf(body)).toBe(textOf(real.body));
        else pages.add(textOf(body).replace(none, token));
      }
    expect(await stateOf(team, address)).toBe("allowed");
    pages.add(textOf((await call("POST", link)).body));
    expect(pages.size).toBe(1);
  });

  it("ends a member's deliveries of that team, and no other's", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const address = await emailOf(team.member.id);
    await env.DB.prepare("update users set email = ? where id = ?").bind(address, other.member.id).run();
    const token = await clients.tokens.mint({
      use: "unsubscribe",
      teamId: team.id,
      address,
      expiresAt: Date.now() + 60_000,
    });
    await call("POST", `/mail/unsubscribe/${token}`);
    expect([await stateOf(team, address), await stateOf(other, address)]).toEqual(["unsubscribed", "allowed"]);
  });

  it("of a team that is gone leaves nothing behind", async () => {
    const { team, link } = await newUnsubscribing();
    await env.DB.prepare("update teams set deleted_at = ? where id = ?").bind(new Date().toISOString(), team.id).run();
    expect((await call("POST", link)).status).toBe(200);
    const rows = await env.DB.prepare("select * from mail_unsubscriptions where team_id = ?").bind(team.id).all();
    expect(rows.results).toEqual([]);
  });
});

/** A page without its own nonce. */
const textOf = (page: string): string => page.replaceAll(/nonce="\w+"/g, "");

describe("sweepMail", () => {
  it("forgets when addresses were asked once they may be asked again, and old counts of mails", async () => {
    const [team, address] = [await newTeam(), newAddress()];
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    await ask(team, address);
    const look = async () => ({
      asks: await env.DB.prepare("select count(*) as n from mail_asks where address = ?").bind(address).first("n"),
      days: await env.DB.prepare("select count(*) as n from mail_days where team_id = ?").bind(team.id).first("n"),
    });
    const at = (ms: number) => new Date(Date.now() + ms);
    await sweepMail(clients, at(MAIL_LIMITS.askEveryMs - 60_000));
    expect(await look()).toEqual({ asks: 1, days: 1 });
    await sweepMail(clients, at(MAIL_LIMITS.askEveryMs + 60_000));
    expect(await look()).toEqual({ asks: 0, days: 1 });
    await sweepMail(clients, at(MAIL_LIMITS.daysKeptMs + 2 * 86_400_000));
    expect(await look()).toEqual({ asks: 0, days: 0 });
  });
});
