// The README's commands, typed into one shell in their order, as its reader would.

import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runBlocks, shellBlocks, type BlockRun } from "../../support/node/tools/markdown-shell.ts";
import { root } from "../../support/node/platform/platform.ts";
import { call, rowsOf } from "../client.ts";

/** Not to be typed here: what starts the platform, what deploys it, and what runs these very tests. */
const KINDS_APART = ["start", "deploy", "checks"];
const MS_MAX = 300_000;
const DATABASE = "shop";

let readme: string;
let folder: string;
let runs: BlockRun[];

/** What the reader's own database would be. */
async function makeShop(): Promise<Record<string, string>> {
  const { host, port, username, password } = inject("postgres");
  const connect = async (name: string, sql: string) => {
    const client = new pg.Client({ host, port, user: username, password, database: name });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await connect("postgres", `CREATE DATABASE ${DATABASE}`);
  await connect(
    DATABASE,
    "CREATE TABLE public.people (id int PRIMARY KEY, name text); INSERT INTO public.people VALUES (1, 'Ada'), (2, 'Grace'); CREATE SCHEMA sales; CREATE TABLE sales.orders (id int PRIMARY KEY); INSERT INTO sales.orders VALUES (7)",
  );
  return { DB_HOST: host, DB_PORT: String(port), DB_NAME: DATABASE, DB_USER: username, DB_PASSWORD: password };
}

beforeAll(async () => {
  [readme, folder] = await Promise.all([
    readFile(join(root, "README.md"), "utf8"),
    mkdtemp(join(tmpdir(), "fjord-readme-")),
  ]);
  // The reader stands in the project's folder; what is typed must not leave files in ours.
  await copyFile(join(root, "README.md"), join(folder, "README.md"));
  const { baseUrl, key } = inject("platform");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? folder,
    BASE: baseUrl,
    KEY: key,
    ...(await makeShop()),
  };
  runs = await runBlocks(
    shellBlocks(readme).filter(({ kind }) => kind === ""),
    folder,
    env,
    MS_MAX,
  );
}, MS_MAX + 30_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The documents that the blocks under a heading printed; those of queries are of several lines. */
function answersOf(heading: string): Record<string, unknown>[] {
  const printed = runs.filter((run) => run.heading === heading).map(({ stdout }) => stdout);
  expect(printed).not.toEqual([]);
  const answers: Record<string, unknown>[] = [];
  let begun = "";
  for (const line of printed.join("\n").split("\n")) {
    if (begun === "" && !line.startsWith("{")) continue;
    begun += line;
    try {
      answers.push(JSON.parse(begun) as Record<string, unknown>);
      begun = "";
    } catch {
      // It goes on in the next line.
    }
  }
  expect(begun).toBe("");
  return answers;
}

it("has no other blocks apart than those that start, deploy and check", () => {
  expect([...new Set(shellBlocks(readme).map(({ kind }) => kind))].sort()).toEqual(["", ...KINDS_APART].sort());
});

it("ends every command well, and none but the cancelled statement is answered with a failure", () => {
  expect(runs.length).toBeGreaterThan(8);
  for (const { heading, text, stdout, stderr, hasEnded } of runs) {
    expect(hasEnded, `${heading}:\n${text}\n${stdout}\n${stderr}`).toBe(true);
    if (heading !== "Cancel") expect(stdout, text).not.toContain('"success":false');
  }
});

describe("under its heading", () => {
  it("The first query: answers as the README says", () => {
    const section = readme.split("## The first query")[1]?.split("\n## ")[0] ?? "";
    const promised = JSON.parse(/```json\n([\s\S]*?)```/.exec(section)![1]!) as Record<string, unknown>;
    expect(answersOf("The first query")).toMatchObject([promised]);
  });

  it("Connect your database: a query runs there", () => {
    expect(answersOf("Connect your database")).toMatchObject([
      { data: [{ version: expect.stringContaining("PostgreSQL") as string }] },
    ]);
  });

  it("Sync a database into the lake: the run that is shown brings the tables", async () => {
    const [{ run }] = answersOf("Sync a database into the lake") as [
      { run: { run_id: string; src_integration_id: string } },
    ];
    const path = `/v1/api/integrations/${run.src_integration_id}/syncs/${run.run_id}`;
    const status = async () => (await call<{ run: { status: string } }>("GET", path)).body.run.status;
    await expect.poll(status, { timeout: 90_000, interval: 500 }).toBe("SUCCESS");
    expect(
      await rowsOf(
        "SELECT (SELECT count(*) FROM LAKE.shop.people) AS people, (SELECT max(id) FROM LAKE.shop.orders) AS orders",
      ),
    ).toEqual([{ people: 2, orders: 7 }]);
  });

  it("Write to the lake: the past tells what a merge changed", () => {
    expect(answersOf("Write to the lake")).toMatchObject([
      { success: true },
      { data: [{ count: 1 }] },
      { data: [{ customer_id: 1, more: 10 }] },
    ]);
  });

  it("The drive: a file is uploaded and read by SQL, and a large one made of its parts", () => {
    expect(answersOf("The drive")).toMatchObject([
      { data: [{ visits: 255 }] },
      { path: "exports/large.bin", bytes: 6_000_000 },
    ]);
  });

  it("Docs and webhooks: the payload reaches the code, and its log is there", () => {
    const [execution, logs] = answersOf("Docs and webhooks") as [unknown, { data: { items: unknown[] } }];
    expect(execution).toMatchObject({
      data: { dataset_key: "score", state: "succeeded", result: { kind: "frame", rows: 5 } },
    });
    expect(logs.data.items).toContainEqual(expect.objectContaining({ stream: "stdout", message: "asked for 5" }));
  });

  it("Key-value stores and secrets: the SDK works from outside", () => {
    const [{ stdout }] = runs.filter(({ heading }) => heading === "Key-value stores and secrets") as [BlockRun];
    expect(stdout).toMatch(/^\[\{'products': \d+\}\]$/m);
    expect(answersOf("Key-value stores and secrets")).toMatchObject([{ data: { orders: "2026-01-31" } }]);
  });

  it("Deploy to Cloudflare: the probe of the storage tells what it should", () => {
    const [{ stdout }] = runs.filter(({ heading }) => heading === "Deploy to Cloudflare") as [BlockRun];
    expect(stdout.match(/^\d{3}$/gm)).toEqual(["200", "403"]);
  });

  it("Cancel: the statement ends before its time", () => {
    expect(answersOf("Cancel")).toMatchObject([{ success: false, error: { code: "query_cancelled" } }]);
  });
});
