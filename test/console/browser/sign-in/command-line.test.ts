// `fjord login` as a process, and the person in a real browser whom it leads to the console.

import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { makeCommandLine, type CommandLine, type Outcome } from "../../../e2e/clients/command-line.ts";
import { seriousFlaws } from "../../../support/node/console/flaws.ts";
import { newMember } from "../../../support/node/console/people.ts";
import { suiteVisits } from "../../../support/node/console/suite-visits.ts";

const { baseUrl, key: adminKey } = inject("platform");
const visit = suiteVisits(baseUrl);

let cli: CommandLine;
/** A browser that only writes down what it is to open. */
let browser: string;
beforeAll(async () => {
  cli = await makeCommandLine();
  browser = join(cli.folder, "browser");
  await writeFile(browser, '#!/bin/sh\nprintf %s "$1" > "$OPENED"\n');
  await chmod(browser, 0o755);
});
afterAll(() => cli.remove());

/** Begins a sign-in; answers what it opens, and how it ends. */
async function login(profile: string): Promise<{ address: string; ended: Promise<Outcome> }> {
  const opened = join(cli.folder, `${profile}.opened`);
  const env = { BROWSER: browser, OPENED: opened };
  const ended = cli.run(["login", baseUrl, "--browser", "--profile", profile], { env });
  await expect.poll(() => readFile(opened, "utf8").catch(() => "")).toContain("machine=");
  return { address: await readFile(opened, "utf8"), ended };
}

const answerOf = (address: string, query: Record<string, string>): string =>
  `http://127.0.0.1:${new URL(address).searchParams.get("port")}/?${new URLSearchParams(query)}`;

/** Goes on to the page of the question; where nobody is signed in, somebody does so first. */
async function openQuestion(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { name: "Connect the command line?" }).waitFor();
}

const status = async (profile: string): Promise<{ code: number | null; rights: string[]; name: string }> => {
  const { code, stdout } = await cli.run(["status", "--profile", profile, "--json"]);
  const { rights = [], user } = (stdout === "" ? {} : JSON.parse(stdout)) as {
    rights?: string[];
    user?: { name: string };
  };
  return { code, rights, name: user?.name ?? "" };
};

describe("fjord login --browser", () => {
  it("brings a member, who signs in there first, a key that no address has, and ends it by logout", async () => {
    const { key } = await newMember({ baseUrl, key: adminKey });
    const { address, ended } = await login("member");
    const { page, open, expectStatus, expectOrigin } = await visit();
    expectStatus(401);
    expectOrigin(new URL(answerOf(address, {})).origin);
    const visited: string[] = [];
    page.on("framenavigated", (frame) => visited.push(frame.url()));
    await page.goto(address);
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in with the key" }).click();
    await page.getByRole("heading", { name: "Connect the command line?" }).waitFor();
    expect(await seriousFlaws(page)).toEqual([]);
    expect(await page.getByRole("checkbox").count()).toBe(0);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("The command line is connected.").waitFor();
    expect(await ended).toMatchObject({ code: 0, stdout: "" });
    expect(await status("member")).toMatchObject({ code: 0, name: "Grace" });
    const kept = JSON.parse(await readFile(join(cli.folder, "config/fjord/profiles.json"), "utf8")) as {
      profiles: { member: { key: string; keyId: string } };
    };
    expect(visited.join()).toContain("sealed=");
    expect(visited.join()).not.toContain(kept.profiles.member.key.slice(-32));

    await open("/account");
    const keys = page.getByRole("region", { name: "Your keys", exact: true });
    await keys.getByRole("cell", { name: /^fjord on / }).waitFor();
    expect(await cli.run(["logout", "--profile", "member"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("is revoked"),
    });
    const headers = { authorization: `Bearer ${kept.profiles.member.key}` };
    await expect.poll(async () => (await fetch(`${baseUrl}/v4/me`, { headers })).status).toBe(401);
    await page.reload();
    await keys
      .getByText("leads you here for one")
      .or(keys.getByRole("cell", { name: "console" }))
      .first()
      .waitFor();
    expect(await keys.getByRole("cell", { name: /^fjord on / }).count()).toBe(0);
  });

  it("gives an admin's command line the team's management by a tick alone", async () => {
    for (const isManaging of [false, true]) {
      const profile = isManaging ? "managing" : "plain";
      const { address, ended } = await login(profile);
      const { page, expectOrigin } = await visit({ key: adminKey });
      expectOrigin(new URL(answerOf(address, {})).origin);
      await openQuestion(page, address);
      if (isManaging) await page.getByLabel(/manage the team/).check();
      await page.getByRole("button", { name: "Connect", exact: true }).click();
      expect(await ended).toMatchObject({ code: 0 });
      const { rights } = await status(profile);
      expect(rights).toContain("lake:write");
      expect([rights.includes("team:manage"), rights.includes("platform:operate")]).toEqual([isManaging, false]);
      expect(await cli.run(["logout", "--profile", profile])).toMatchObject({ code: 0 });
    }
  });

  it("ends with 3 where the person declines, and waits on for whoever does not know its state", async () => {
    const { address, ended } = await login("declined");
    const { page, expectOrigin } = await visit({ key: adminKey });
    expectOrigin(new URL(answerOf(address, {})).origin);
    for (const query of [{}, { error: "declined" }, { error: "declined", state: "x".repeat(43) }, { sealed: "AAAA" }])
      expect((await fetch(answerOf(address, query as Record<string, string>))).status).toBe(404);
    await openQuestion(page, address);
    await page.getByRole("button", { name: "Decline" }).click();
    expect(await ended).toMatchObject({ code: 3, stderr: expect.stringContaining("declined") });
    expect((await status("declined")).code).toBe(3);
  });

  it("takes nothing that is sealed for another, and is ended by Ctrl-C", async () => {
    const { address, ended } = await login("forged");
    const state = new URL(address).searchParams.get("state")!;
    expect((await fetch(answerOf(address, { sealed: "A".repeat(342), state }))).status).toBe(400);
    expect(await ended).toMatchObject({ code: 3 });
    const interruptOnce = new Promise((resolve) => setTimeout(resolve, 3_000));
    const args = ["login", baseUrl, "--browser", "--profile", "interrupted"];
    const env = { BROWSER: browser, OPENED: join(cli.folder, "interrupted.opened") };
    expect(await cli.run(args, { env, interruptOnce })).toMatchObject({ code: 130 });
  });

  it.each([
    ["a port of the system", { port: "80" }],
    ["a port that is none", { port: "8080.evil.example" }],
    ["no state", { state: "" }],
    ["a key that is none", { key: "short" }],
    ["markup for a machine", { machine: "<b>x</b>" }],
  ])("makes no key for an address with %s", async (_, changes) => {
    const { page, open } = await visit({ key: adminKey });
    await open("/");
    const whole = { port: "40000", state: "s".repeat(43), key: "k".repeat(392), machine: "laptop" };
    await page.goto(`/app/command-line?${new URLSearchParams({ ...whole, ...changes })}`);
    await page.getByRole("alert").getByText("This address is not whole").waitFor();
    expect(await page.getByRole("button", { name: "Connect" }).count()).toBe(0);
  });
});
