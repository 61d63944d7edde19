// An agent's program leads a person to the page that asks, and comes back with what it may.

import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { seriousFlaws } from "../../../support/node/console/flaws.ts";
import { suiteVisits } from "../../../support/node/console/suite-visits.ts";

const { baseUrl, key } = inject("platform");
const visit = suiteVisits(baseUrl, ({ expectOrigin }) => expectOrigin(origin));
const VERIFIER = "a-verifier-that-nobody-else-knows-0123456789-abcdef";

/** The program: its document, and where it is answered. */
let program: Server;
let origin: string;
beforeAll(async () => {
  program = createServer((request, response) => {
    const isDocument = request.url === "/client.json";
    const document = { client_id: `${origin}/client.json`, client_name: "Chat", redirect_uris: [`${origin}/back`] };
    response.setHeader("content-type", isDocument ? "application/json" : "text/html");
    response.end(isDocument ? JSON.stringify(document) : "<title>Back</title>Back at the program.");
  });
  await new Promise<void>((resolve) => program.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(program.address() as AddressInfo).port}`;
});
afterAll(() => void program.close());

const addressOf = (changes: Record<string, string> = {}) =>
  `/app/authorize?${new URLSearchParams({
    ...{ client_id: `${origin}/client.json`, redirect_uri: `${origin}/back`, response_type: "code", state: "st" },
    ...{ scope: "query catalog:read drive", resource: `${baseUrl}/mcp`, code_challenge_method: "S256" },
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    ...changes,
  })}`;

describe("the page that asks whether an agent may act", () => {
  it("asks whoever signs in there, gives what was ticked, and is taken back on the account's page", async () => {
    const { page, open, expectStatus } = await visit();
    expectStatus(401);
    await page.goto(addressOf());
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    await page.getByRole("heading", { name: "Let Chat act for you?" }).waitFor();
    expect(await seriousFlaws(page)).toEqual([]);
    await page.getByLabel(/upload and delete files/).uncheck();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${origin}/back?**`);
    const back = new URL(page.url()).searchParams;
    expect([back.get("state"), back.get("iss")]).toEqual(["st", baseUrl]);
    const answer = await fetch(`${baseUrl}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", code: back.get("code")!, code_verifier: VERIFIER },
        ...{ client_id: `${origin}/client.json`, redirect_uri: `${origin}/back` },
      }),
    });
    const tokens = (await answer.json()) as { access_token: string; scope: string };
    expect(tokens.scope).toBe("query catalog:read");

    await open("/account");
    const agents = page.getByRole("region", { name: "Agents", exact: true });
    await agents.getByRole("cell", { name: "Chat" }).waitFor();
    await agents.getByRole("button", { name: "End" }).click();
    await page.getByRole("button", { name: "End it" }).click();
    await agents.getByRole("cell", { name: "Chat" }).waitFor({ state: "detached" });
    const refused = await fetch(`${baseUrl}/mcp`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${tokens.access_token}`, "content-type": "application/json" },
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
    expect(refused.status).toBe(401);
  });

  it("goes back with the person's no, and with what is wrong with a request", async () => {
    const { page, open } = await visit({ key });
    await open("/");
    await page.goto(addressOf());
    await page.getByRole("button", { name: "Decline" }).click();
    await page.waitForURL(`${origin}/back?error=access_denied**`);
    await page.goto(`${baseUrl}${addressOf({ code_challenge_method: "plain" })}`);
    // Nobody is led away without a click, whoever has made the link.
    await page.getByRole("heading", { name: "Nothing was allowed" }).waitFor();
    await page.getByRole("button", { name: /^Go back to/ }).click();
    await page.waitForURL(`${origin}/back?error=invalid_request**`);
  });

  it("leads nowhere for a program that is not known, and says so", async () => {
    const { page, open, expectStatus } = await visit({ key });
    await open("/");
    expectStatus(422);
    await page.goto(addressOf({ redirect_uri: "https://elsewhere.example.com/back" }));
    await page.getByRole("alert").getByText("The answer may not go there").waitFor();
    expect(await page.getByRole("button", { name: "Allow" }).count()).toBe(0);
  });
});
