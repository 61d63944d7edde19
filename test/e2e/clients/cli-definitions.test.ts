// Definitions as files: what is pulled from a team and pushed onto an empty one is the same there.

import { cp, readdir, readFile, writeFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { call, newTeam } from "../client.ts";
import { makeCommandLine, type CommandLine, type Outcome } from "./command-line.ts";

type Team = { key: string; lake: string; database: string };

const KINDS = ["models", "queries", "docs", "syncs", "roles"];
const TABLE = `cli_${crypto.randomUUID().slice(0, 8)}`;
const server = inject("postgres");

let cli: CommandLine;
let team: Team;
let empty: Team;
beforeAll(async () => {
  await onSource(`CREATE TABLE public.${TABLE} AS SELECT 1 AS id`);
  [cli, team, empty] = await Promise.all([makeCommandLine(), makeTeam("Full"), makeTeam("Empty")]);
  await mustRun(team, ["query", "CREATE SCHEMA LAKE.shop"]);
  await mustRun(team, [
    "query",
    "CREATE TABLE LAKE.shop.orders AS SELECT * FROM (VALUES (1, 'NO'), (2, 'DE'), (3, 'NO')) t(id, country)",
  ]);
});
afterAll(() => Promise.all([cli.remove(), onSource(`DROP TABLE public.${TABLE}`)]));

async function onSource(sql: string): Promise<void> {
  const client = new pg.Client({ ...server, user: server.username, database: "postgres" });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** With a lake, a database and a cube integration, each of the same name in every team. */
async function makeTeam(name: string): Promise<Team> {
  const { key } = await newTeam(name);
  type Listed = { data: { id: string }[] };
  const lake = (await call<Listed>("GET", "/v1/api/integrations?type=lake", { key })).body.data[0]!.id;
  const { host, port, username, password } = server;
  const credentials = { host, port: String(port), database: "postgres", username, password };
  const database = await add(key, { type: "postgres", name: "Shop", credentials });
  await add(key, { type: "cube", name: "Shop by name", credentials: { integration_id: lake } });
  return { key, lake, database };
}

async function add(key: string, body: object): Promise<string> {
  type Made = { integration: { id: string } };
  const { status, body: made } = await call<Made>("POST", "/v1/api/integrations", { key, body });
  expect(status, JSON.stringify(made)).toBe(201);
  return made.integration.id;
}

const runAs = ({ key }: Pick<Team, "key">, args: string[]): Promise<Outcome> =>
  cli.run(args, { env: { FJORD_URL: inject("platform").baseUrl, FJORD_KEY: key } });

async function mustRun(who: Pick<Team, "key">, args: string[]): Promise<Outcome> {
  const outcome = await runAs(who, args);
  expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
  return outcome;
}

const each = (work: (kind: string) => Promise<unknown>): Promise<unknown> => Promise.all(KINDS.map(work));

async function write(path: string, text: string): Promise<void> {
  const file = join(cli.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** All files below a folder, with what they hold. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(join(cli.folder, folder), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = files
    .sort()
    .map(async (file) => [file.slice(join(cli.folder, folder).length), await readFile(file, "utf8")]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, string>;
}

const QUERY = `name: Orders of a country
description: As the shop asks each day
tags:
  - shop
integration: Lake
parameters:
  country:
    type: text
    default: NO
sql: |
  SELECT count(*) AS n
  FROM LAKE.shop.orders
  WHERE country = $country
`;
const ROLE = `name: Norway
grants:
  - integration: Lake
    schema: shop
    table: orders
    filters:
      - member: country
        operator: equals
        values:
          - NO
`;
const SYNC = `source: Shop
schema: copied
schedule: daily
cron: 0 6 * * *
timezone: Europe/Oslo
load_method: overwrite
tables:
  - public.${TABLE}
`;
const MODEL = `cubes:
  - name: orders
    sql_table: shop.orders
    measures:
      - {name: count, type: count}
`;
const doc = (database: string) => `# A comment stays as it is.
version: 1
kind: pipeline
metadata: {name: Daily}
datasets:
  ask: {engine: sql, integration_id: "${database}", sql: SELECT 1 AS one}
`;

describe("fjord push and pull", () => {
  it("make a whole team of files, and of that team's files an equal one", async () => {
    await write("full/models/shop-by-name/orders.yml", MODEL);
    await write("full/queries/orders.yaml", QUERY);
    await write("full/docs/daily.yaml", doc(team.database));
    await write("full/syncs/shop.yaml", SYNC);
    await write("full/roles/norway.yaml", ROLE);
    await each((kind) => mustRun(team, [kind, "push", `full/${kind}`, "--yes"]));
    await each((kind) => mustRun(team, [kind, "pull", `pulled/${kind}`]));
    expect(Object.values(await filesIn("pulled")).sort()).toEqual(
      [
        MODEL,
        QUERY,
        doc(team.database),
        ROLE,
        `${SYNC.replace("schema: copied", "schema: copied\nlake: Lake")}`,
      ].sort(),
    );

    await cp(join(cli.folder, "pulled"), join(cli.folder, "copy"), { recursive: true });
    await each((kind) => mustRun(empty, [kind, "push", `copy/${kind}`, "--yes"]));
    await each((kind) => mustRun(empty, [kind, "diff", `copy/${kind}`]));
    await each((kind) => mustRun(empty, [kind, "pull", `again/${kind}`]));
    const pulled = JSON.stringify(await filesIn("pulled")).replaceAll(team.database, empty.database);
    expect(await filesIn("again")).toEqual(JSON.parse(pulled));
  });

  it("show a plan before they apply it, and apply nothing that nobody agreed to", async () => {
    await write("plan/new.yaml", QUERY.replace("Orders of a country", "Another"));
    const asked = await runAs(team, ["queries", "push", "plan"]);
    expect(asked).toMatchObject({
      code: 2,
      stdout: "+ new.yaml\n  Orders of a country  (on one side only: left alone)\n",
    });
    const { stdout } = await mustRun(team, ["queries", "pull", "unchanged"]);
    expect(stdout).not.toContain("another");
  });

  it("refuse to push over what others changed since the pull, and to pull over what was edited here", async () => {
    await mustRun(team, ["queries", "pull", "mine"]);
    await mustRun(team, ["queries", "pull", "theirs"]);
    const file = "orders-of-a-country.yaml";
    await write(`theirs/${file}`, QUERY.replace("each day", "each week"));
    await mustRun(team, ["queries", "push", "theirs", "--yes"]);
    await write(`mine/${file}`, QUERY.replace("each day", "each hour"));
    expect(await runAs(team, ["queries", "push", "mine", "--yes"])).toMatchObject({
      code: 4,
      stdout: `! ${file}  (conflict)\n`,
    });
    expect(await runAs(team, ["queries", "pull", "mine"])).toMatchObject({ code: 4 });
    const { code, stdout } = await runAs(team, ["queries", "diff", "mine"]);
    expect([code, stdout.split("\n").filter((line) => /^[-+] /.test(line) || /^[-+]d/.test(line))]).toEqual([
      1,
      ["-description: As the shop asks each week", "+description: As the shop asks each hour"],
    ]);
    await mustRun(team, ["queries", "pull", "mine", "--yes"]);
    expect(await readFile(join(cli.folder, "mine", file), "utf8")).toContain("each week");
  });
});

it("shows a restricted member what a role grants, and refuses what the member may not do", async () => {
  const user = { name: "Bob", email: `${crypto.randomUUID()}@example.com`, role: "member" };
  const { body: made } = await call<{ data: { id: string } }>("POST", "/v4/users", { key: team.key, body: user });
  const { stdout: key } = await mustRun(team, ["keys", "create", "Terminal", "--user", made.data.id]);
  const member = { key: key.trim() };
  const ask = ["query", "-o", "csv", "SELECT country, count(*) AS n FROM LAKE.shop.orders GROUP BY country"];
  const denied = await runAs(member, ask);
  expect(denied).toMatchObject({ code: 1, stdout: "" });
  const [role] = (await call<{ data: { items: { id: string }[] } }>("GET", "/v4/data-access/roles", { key: team.key }))
    .body.data.items;
  await call("PUT", `/v4/data-access/roles/${role!.id}/members/${made.data.id}`, { key: team.key });
  await expect.poll(() => runAs(member, ask)).toMatchObject({ code: 0, stdout: "country,n\nNO,2\n" });
  expect(await mustRun(member, ["catalog", "tables"])).toMatchObject({
    stdout: expect.stringContaining("shop.orders"),
  });
  for (const args of [
    ["roles", "pull", "none"],
    ["query", "DROP TABLE LAKE.shop.orders"],
    ["sync", "run", "Shop"],
  ])
    expect(await runAs(member, args), args.join(" ")).toMatchObject({ code: 3, stdout: "" });
});
