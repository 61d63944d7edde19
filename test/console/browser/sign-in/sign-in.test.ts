// Signing in by an address that brings a credential, and where the organisation does: at a team's identity provider,
// which an admin sets up in the console, and by Cloudflare Access.

import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { ask } from "../../../support/node/console/api.ts";
import { seriousFlaws } from "../../../support/node/console/flaws.ts";
import { suiteVisits } from "../../../support/node/console/suite-visits.ts";
import type { Visit } from "../../../support/node/console/visit.ts";

const operator = inject("platform");
const { baseUrl } = operator;
const issuerUrl = inject("issuerUrl");
const visit = suiteVisits(baseUrl, ({ expectOrigin }) => expectOrigin(issuerUrl));

type NewTeam = { id: string; key: string; email: string; name: string };

/** A team with an admin of this address, or of one at a domain of its own. */
async function newTeam(address?: string): Promise<NewTeam> {
  const id = crypto.randomUUID().slice(0, 8);
  const [name, email] = [`Team ${id}`, address ?? `ada@d${id}.example`];
  const { data } = await ask(operator, "POST", "/v4/admin/teams", { name, admin: { name: "Ada", email } });
  return { id: data.team.id, key: data.api_key.key, email, name };
}

const signOut = async (page: Page) => {
  await page.getByRole("button", { name: /^Menu of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
};

const isSignedIn = (page: Page) => page.getByRole("button", { name: /^Menu of/ }).waitFor();

describe("an address that brings a credential", () => {
  /** As an operator makes it and hands it on. */
  const newLink = async (team: NewTeam): Promise<string> => {
    const path = `/v4/admin/teams/${team.id}/magic-link`;
    return (await ask(operator, "POST", path, { mail: false })).data.url as string;
  };

  it("says whom a link signs in before the click, which alone spends it", async () => {
    const team = await newTeam();
    const url = await newLink(team);
    const [scanner, person] = [await visit(), await visit()];
    for (const { page, expectStatus } of [scanner, person]) {
      expectStatus(401);
      await page.goto(url);
      await page.getByText(`as Ada, ${team.email}, in the team ${team.name}.`).waitFor();
      expect(new URL(page.url()).hash).toBe("");
    }
    expect(await seriousFlaws(person.page)).toEqual([]);
    await person.page.getByRole("button", { name: "Sign in as Ada" }).click();
    await isSignedIn(person.page);
    expect(new URL(person.page.url()).pathname).toBe("/app/");
    await scanner.page.getByRole("button", { name: "Sign in as Ada" }).click();
    await scanner.page.getByRole("alert").filter({ hasText: "This does not sign anybody in, or no longer." }).waitFor();
  });

  it("leads in by one click where the address has a key, and leaves the other ways to who declines", async () => {
    const team = await newTeam();
    const { page, expectStatus } = await visit();
    expectStatus(401);
    await page.goto(`/app#${team.key}`);
    await page.getByRole("button", { name: "Sign in as Ada" }).click();
    await isSignedIn(page);
    await signOut(page);
    await page.goto(`/app/account#${team.key.slice(0, -4)}AAAA`);
    await page.getByRole("alert").filter({ hasText: "This does not sign anybody in, or no longer." }).waitFor();
    await page.getByRole("button", { name: "Sign in another way" }).click();
    await page.getByLabel("API key").waitFor();
  });

  it("tells who is signed in already that their session ends, and ends it for nobody who declines", async () => {
    const [victim, sender] = [await newTeam(), await newTeam()];
    const { page, context } = await visit({ key: victim.key });
    const [cookie] = await context.cookies();
    const former = async () => {
      const headers = { cookie: `fjord=${cookie!.value}`, "sec-fetch-site": "same-origin" };
      return (await fetch(`${baseUrl}/v4/me`, { headers })).status;
    };
    await page.goto(await newLink(sender));
    await page.getByText(`in the team ${sender.name}.`).waitFor();
    const warning = page.getByRole("alert").filter({ hasText: "Ada is signed in" });
    await warning.getByText(`in the team ${victim.name}, ends when you sign in`).waitFor();
    expect(await seriousFlaws(page)).toEqual([]);
    await page.getByRole("button", { name: "Stay signed in as Ada" }).click();
    await page.getByRole("button", { name: new RegExp(`^Menu of.*${victim.name}`) }).waitFor();

    expect(await former()).toBe(200);
    await page.goto(await newLink(sender));
    await page.getByRole("button", { name: "Sign in as Ada" }).click();
    await page.getByRole("button", { name: new RegExp(`^Menu of.*${sender.name}`) }).waitFor();
    expect(await former()).toBe(401);
  });
});

describe("an identity provider", () => {
  it("is set up, its domain proven and one's own account bound by an admin, who then signs in by it", async () => {
    const team = await newTeam();
    const domain = team.email.split("@")[1]!;
    const provider = `${issuerUrl}/issuer/${crypto.randomUUID()}`;
    const { page, open, expectStatus } = await visit({ key: team.key });
    expectStatus(409);
    await open("/settings");

    await page.getByRole("button", { name: "Set it up" }).click();
    await page.getByLabel("Name").and(page.locator("[data-autofocus]")).fill("Acme");
    await page.getByLabel("Issuer").fill(provider);
    await page.getByLabel("Client ID").fill("fjord");
    await page.getByLabel("The client has a secret").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("region", { name: "Redirect URI" }).waitFor();
    expect(await page.getByRole("region", { name: "Redirect URI" }).innerText()).toBe(
      `${baseUrl}/app/sign-in/callback`,
    );

    await page.getByLabel("A domain of the team's").fill(domain);
    await page.getByRole("button", { name: "Name it" }).click();
    await page.getByRole("button", { name: "Look for the record" }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: `_fjord.${domain} has no TXT record` })
      .waitFor();
    const record = await page.getByRole("region", { name: `Value of the record of ${domain}` }).innerText();
    await fetch(`${issuerUrl}/dns/_fjord.${domain}`, { method: "PUT", body: JSON.stringify([record]) });
    await page.getByRole("button", { name: "Look for the record" }).click();
    await page.getByText("its DNS record was seen").waitFor();
    expect(await seriousFlaws(page)).toEqual([]);

    await page.getByRole("button", { name: "Bind my own account" }).click();
    await page.getByText("Your own account at Acme is bound").waitFor();
    expect(new URL(page.url()).pathname).toBe("/app/settings");

    expectStatus(401);
    await signOut(page);
    await page.goto("/app/account?from=there");
    await page.getByLabel("E-mail").fill(team.email);
    await page.getByRole("button", { name: "Sign in with your organisation" }).click();
    await page.getByRole("heading", { name: "Account" }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/app/account?from=there");
    await page.getByRole("cell", { name: "the team's identity provider" }).waitFor();
  });

  it("signs in whom its address is handed to, and says in words why somebody is not bound", async () => {
    const team = await newTeam();
    const issuer = `${issuerUrl}/issuer/${crypto.randomUUID()}`;
    const provider = { name: "Acme", issuer, client_id: "fjord" };
    const { data } = await ask({ baseUrl, key: team.key }, "PUT", "/v4/team/identity-provider", provider);
    const { page, expectStatus } = await visit();
    for (const status of [401, 403]) expectStatus(status);
    await page.goto(`/app/sign-in?provider=${data.id}`);
    await page.getByRole("button", { name: "Sign in with your organisation" }).click();
    await page.getByRole("button", { name: /^Go to 127\.0\.0\.1:/ }).click();
    await page.getByRole("alert").filter({ hasText: "Your account at Acme is bound to nobody here yet." }).waitFor();
    expect(page.url()).toBe(`${baseUrl}/app/sign-in/callback`);
    await page.getByRole("button", { name: "Go back" }).click();
    await page.getByLabel("API key").fill(team.key);
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    await isSignedIn(page);
  });

  it("is answered for nothing that nobody began here, and where it has refused", async () => {
    const { page, expectStatus } = await visit();
    expectStatus(401);
    await page.goto("/app/sign-in/callback?code=x&state=y");
    await page.getByRole("alert").filter({ hasText: "This does not sign anybody in" }).waitFor();
    await page.goto("/app/sign-in/callback?error=access_denied&state=y");
    await page.getByRole("alert").filter({ hasText: "Your organisation's sign-in let nobody in" }).waitFor();
    expect(await seriousFlaws(page)).toEqual([]);
  });

  it("is not found for an address of a domain that is nobody's", async () => {
    const { page, expectStatus } = await visit();
    expectStatus(401);
    await page.goto("/app");
    await page.getByLabel("E-mail").fill("grace@nobody.example");
    await page.getByRole("button", { name: "Sign in with your organisation" }).click();
    await page.getByText("No organisation here signs in people of that address's domain.").waitFor();
  });
});

describe("Cloudflare Access", () => {
  /** A visit as Access lets it through, with this address. */
  const throughAccess = async (email: string): Promise<Visit> => {
    const made = await visit();
    const { text } = await ask({ baseUrl: issuerUrl, key: "" }, "POST", "/assertion", { claims: { email } });
    await made.context.setExtraHTTPHeaders({ "Cf-Access-Jwt-Assertion": text });
    made.expectStatus(401);
    return made;
  };

  it("signs in without a question, but not again who has signed out", async () => {
    const { email } = await newTeam();
    const { page } = await throughAccess(email);
    await page.goto("/app/account");
    await page.getByRole("cell", { name: "Cloudflare Access" }).waitFor();
    await signOut(page);
    await page.getByRole("button", { name: "Sign in by Cloudflare Access" }).click();
    await isSignedIn(page);
  });

  it("has people of several teams choose one", async () => {
    const { email } = await newTeam();
    const other = await newTeam(email);
    const { page } = await throughAccess(email);
    await page.goto("/app");
    await page.getByRole("group", { name: "Teams" }).getByRole("button", { name: other.name }).click();
    await page.getByRole("button", { name: new RegExp(`^Menu of.*${other.name}`) }).waitFor();
  });

  it("leaves the other ways to whose address is nobody's, and says so", async () => {
    const made = await throughAccess("nobody@nowhere.example");
    made.expectStatus(403);
    await made.page.goto("/app");
    await made.page.getByRole("alert").filter({ hasText: "nobody@nowhere.example" }).waitFor();
    await made.page.getByLabel("API key").waitFor();
  });
});
