// Signing in and out, and what stands around every screen.

import { describe, expect, inject, it } from "vitest";
import { suiteVisits } from "../../support/node/console/suite-visits.ts";

const { baseUrl, key } = inject("platform");
const visit = suiteVisits(baseUrl);

describe("signing in", () => {
  it("takes an API key, keeps a cookie that no script reads, and leads to the address that was asked for", async () => {
    const { page, context, expectStatus } = await visit();
    expectStatus(401);
    await page.goto("/app/account");
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    await page.getByRole("heading", { name: "Account" }).waitFor();
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: "fjord", httpOnly: true, sameSite: "Lax", path: "/" });
    expect(await page.evaluate("document.cookie")).toBe("");
    expect(cookie?.value).not.toContain(key.slice(-32));
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain(key.slice(-32));
  });

  it("refuses a key that nobody holds, in words", async () => {
    const { page, expectStatus } = await visit();
    expectStatus(401);
    await page.goto("/app");
    await page.getByLabel("API key").fill(`${key.slice(0, -4)}AAAA`);
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    await page.getByRole("alert").waitFor();
  });

  it("ends at signing out, for every tab", async () => {
    const { page, context, open, expectStatus } = await visit({ key });
    await open("/");
    await page.getByRole("button", { name: /^Menu of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    expectStatus(401);
    expect(await context.cookies()).toEqual([]);
  });
});

describe("passkeys", () => {
  it("are made by who is signed in, and sign in from then on", async () => {
    // Browsers make none for an address of a machine.
    const named = baseUrl.replace("127.0.0.1", "localhost");
    const { page, context, open, expectStatus } = await visit({ key }, named);
    const devtools = await context.newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await open("/account");
    await page.getByLabel("Name of a new passkey").fill("This machine");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByRole("cell", { name: "This machine" }).waitFor();
    await page.getByRole("button", { name: /^Menu of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    expectStatus(401);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("navigation", { name: "Screens" }).waitFor();
  });
});

describe("the shell", () => {
  it("opens the palette by keyboard and goes where it is told", async () => {
    const { page, open } = await visit({ key });
    await open("/");
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox", { name: "Go to" }).fill("people");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/app\/people/);
  });

  it("says of an address that leads nowhere that it does", async () => {
    const { page, open } = await visit({ key });
    await open("/no-such-screen");
    await page.getByText("There is no such screen").waitFor();
  });
});
