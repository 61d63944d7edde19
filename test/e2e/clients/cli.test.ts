// The command line `fjord` against the running platform: what it prints, and with which code it ends.

import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { call, connect, type Integration } from "../client.ts";
import { makeCommandLine, type CommandLine } from "./command-line.ts";

const SCHEMA = "cli_test";

const server = inject("postgres");
let cli: CommandLine;
let source: Integration;
beforeAll(async () => {
  source = await connect("postgres", server, "postgres");
  const { baseUrl, key } = inject("platform");
  cli = await makeCommandLine();
  const login = await cli.run(["login", baseUrl], { input: `${key}\n` });
  expect(login, login.stderr).toMatchObject({ code: 0, stdout: "" });
  await printed(["query", `CREATE SCHEMA IF NOT EXISTS LAKE.${SCHEMA}`]);
  await printed([
    "query",
    `CREATE OR REPLACE TABLE LAKE.${SCHEMA}.places AS SELECT * FROM (VALUES ('NO', 1), ('DE', 2)) t(country, n)`,
  ]);
});
afterAll(() => cli.remove());

/** What a command that must succeed prints. */
async function printed(args: string[], options: Parameters<CommandLine["run"]>[1] = {}): Promise<string> {
  const { code, stdout, stderr } = await cli.run(args, options);
  expect(code, stderr).toBe(0);
  return stdout;
}

const parsed = async <Value>(args: string[]): Promise<Value> => JSON.parse(await printed([...args, "--json"])) as Value;

describe("fjord login", () => {
  it("keeps the key where nobody else may read it, and says who is signed in", async () => {
    const file = join(cli.folder, "config/fjord/profiles.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { key } = inject("platform");
    expect(await readFile(file, "utf8")).toContain(key);
    const status = await cli.run(["status"]);
    expect(status.stdout).toContain("admin");
    expect(status.stdout + status.stderr).not.toContain(key);
    expect(await parsed(["status"])).toMatchObject({ role: "admin", health: { engine: true }, profiles: ["default"] });
  });

  it("keeps no key that is refused, and ends with 3 where nobody is signed in", async () => {
    const { baseUrl } = inject("platform");
    const refused = await cli.run(["login", baseUrl, "--profile", "wrong"], { input: "nobody-nothing" });
    expect(refused).toMatchObject({ code: 3, stdout: "" });
    expect(refused.stderr).toContain("auth_invalid_token");
    expect(await cli.run(["status", "--profile", "wrong"])).toMatchObject({ code: 3 });
  });
});

describe("fjord query", () => {
  const SQL = `SELECT country, n, 12345678901234567890 AS big FROM LAKE.${SCHEMA}.places WHERE n >= $least ORDER BY n`;

  it("prints a table with every digit, from the command line, a file or standard input", async () => {
    const table = await printed(["query", SQL, "-p", "least:=1"]);
    expect(table).toBe(
      "country  n                   big\n───────  ─  ────────────────────\n" +
        "NO       1  12345678901234567890\nDE       2  12345678901234567890\n",
    );
    await writeFile(join(cli.folder, "statement.sql"), SQL);
    expect(await printed(["query", "-f", "statement.sql", "-p", "least:integer=1"])).toBe(table);
    expect(await printed(["query", "-p", "least:=1"], { input: SQL })).toBe(table);
  });

  it.each<[format: string, form: RegExp]>([
    ["csv", /^country,n\nNO,1\n$/],
    ["ndjson", /^\{"country":"NO","n":1\}\n$/],
    ["json", /^\{.*"data":\[\s*\{"country":"NO","n":1\}\s*\].*"success":true\}\n$/s],
    ["parquet", /^PAR1.*PAR1$/s],
    ["arrow", /country/],
  ])("prints %s as the platform sends it", async (format, form) => {
    const sql = `SELECT country, n FROM LAKE.${SCHEMA}.places WHERE n = 1`;
    expect(await printed(["query", "-o", format, sql])).toMatch(form);
  });

  it("cancels its statement by Ctrl-C, and ends with 130", async () => {
    const mark = crypto.randomUUID();
    const watcher = new pg.Client({ ...server, user: server.username, database: "postgres" });
    await watcher.connect();
    const runs = async (): Promise<boolean> => {
      const text =
        "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND position($1 IN query) > 0 AND pid <> pg_backend_pid()";
      return (await watcher.query(text, [mark])).rows.length > 0;
    };
    const args = ["query", "-i", source.name, "-o", "csv", `SELECT pg_sleep(300), '${mark}' AS mark`];
    const ended = cli.run(args, { interruptOnce: expect.poll(runs).toBe(true) });
    expect(await ended).toMatchObject({ code: 130, stdout: "" });
    await expect.poll(runs).toBe(false);
    await watcher.end();
  });
});

describe("fjord sync", () => {
  it("runs a sync to its end, and shows its logs and that it is well", async () => {
    const table = `cli_${crypto.randomUUID().slice(0, 8)}`;
    const owner = new pg.Client({ ...server, user: server.username, database: "postgres" });
    await owner.connect();
    await owner.query(`CREATE TABLE ${table} AS SELECT 1 AS id`);
    const body = { dest_schema: table, schedule: "daily", tables: [`public.${table}`], load_method: "overwrite" };
    const { status } = await call("POST", `/v1/api/integrations/${source.id}/sync`, { body });
    expect(status).toBe(200);
    const run = await cli.run(["sync", "run", source.name, "--schema", table, "--wait"]);
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(run.stderr).toContain("succeeded: 1 rows written");
    expect(await printed(["sync", "logs", source.name])).toContain(table);
    const listed = await parsed<{ dest_schema: string; health: string }[]>(["sync", "list"]);
    expect(listed.find(({ dest_schema: schema }) => schema === table)).toMatchObject({ health: "ok" });
    expect(await printed(["catalog", "tables"])).toContain(table);
    await owner.query(`DROP TABLE ${table}`);
    await owner.end();
  });
});

describe("fjord drive cp", () => {
  it("copies a large file there and back in parts, and leaves nothing unfinished", async () => {
    const bytes = Buffer.alloc(18_000_000, "fjord");
    await writeFile(join(cli.folder, "large.bin"), bytes);
    await printed(["drive", "cp", "large.bin", "drive:cli/"]);
    expect(await parsed(["drive", "ls", "cli/"])).toMatchObject([{ path: "cli/large.bin", bytes: bytes.length }]);
    await printed(["drive", "cp", "drive:cli/large.bin", "back.bin"]);
    expect((await readFile(join(cli.folder, "back.bin"))).equals(bytes)).toBe(true);
    expect(await readdir(join(cli.folder, "state/fjord/uploads"))).toEqual([]);
    expect((await readdir(cli.folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
    await printed(["drive", "rm", "cli/large.bin"]);
  });
});

describe("fjord api", () => {
  it("sends a request to any path, and hands one field of the answer on", async () => {
    const me = await printed(["api", "/v4/me"]);
    expect(await printed(["get", "data.role"], { input: me })).toBe("admin\n");
    const body = JSON.stringify({ sql: "SELECT 12 AS n" });
    const answer = await printed(["api", "/v1/query", "-d", "@-"], { input: body });
    expect(await printed(["get", "data.0"], { input: answer })).toBe('{"n":12}\n');
    await writeFile(join(cli.folder, "body.json"), body);
    expect(await printed(["api", "/v1/query", "-d", "@body.json", "-H", "Accept: text/csv"])).toBe("n\n12\n");
    const path = "/v3/drive/file?path=cli/none.txt";
    expect(await cli.run(["api", "-X", "delete", path])).toMatchObject({ code: 1, stdout: "" });
  });

  it("fails as any command, and sends the key to no other host", async () => {
    const { code, stdout, stderr } = await cli.run(["api", "/v4/docs/nothing"]);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("resource_not_found")]);
    // It fails once its rows are on their way, under a status of 200.
    const late = JSON.stringify({
      sql: "SELECT CASE WHEN range = 90000 THEN error('late') ELSE '' END FROM range(100000)",
    });
    const outcome = await cli.run(["api", "/v1/query", "-d", late]);
    expect(outcome).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("late") });
    for (const path of ["@127.0.0.1:9/", "http://127.0.0.1:9/", ".evil.example/"])
      expect(await cli.run(["api", path])).toMatchObject({ code: 2 });
    expect(await cli.run(["get", "a.b"], { input: '{"a": 1}' })).toMatchObject({ code: 1, stdout: "" });
    expect(await cli.run(["get", "a"], { input: "nothing" })).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("fjord dev", () => {
  it("starts what npm start does, from any folder of a checkout, and ends as it ends", async () => {
    const { code, stderr } = await cli.run(["dev"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("no checkout of Fjord")]);
    // A checkout whose launcher only says what it was asked for: the launcher itself serves this suite.
    await mkdir(join(cli.folder, "checkout/scripts"), { recursive: true });
    await mkdir(join(cli.folder, "checkout/docs"));
    await writeFile(join(cli.folder, "checkout/package.json"), '{"name": "fjord"}');
    const launcher = "console.log(process.cwd(), process.argv.slice(2).join()); process.exit(7);";
    await writeFile(join(cli.folder, "checkout/scripts/run.mjs"), launcher);
    const outcome = await cli.run(["dev"], { folder: join(cli.folder, "checkout/docs") });
    expect(outcome).toMatchObject({ code: 7, stdout: expect.stringMatching(/checkout start\n$/) });
  });
});

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("of %s knows the options of signing in, and the newest commands", async (shell) => {
    const script = await printed(["completion", shell]);
    for (const word of ["--browser", "--key", "dev", "logout"]) expect(script).toContain(word);
  });
});

describe("an exit code", () => {
  it.each<[what: string, args: string[], code: number, message: string]>([
    ["a statement that fails", ["query", "SELEC 1"], 1, "query_failed"],
    ["what is not there", ["drive", "cp", "drive:nothing", "here"], 1, "resource_not_found"],
    ["an option that is none", ["query", "--nothing"], 2, "--nothing"],
    ["a parameter that is none", ["query", "SELECT 1", "-p", "1"], 2, "name=text"],
    ["an integration that is none", ["sync", "run", "Nowhere"], 2, "Nowhere"],
    ["a profile that is none", ["status", "--profile", "nobody"], 3, "fjord login"],
  ])("tells of %s", async (_, args, code, message) => {
    const outcome = await cli.run(args);
    expect(outcome).toMatchObject({ code, stdout: "" });
    expect(outcome.stderr).toContain(message);
  });

  it("tells of a platform that does not answer, that one may try later", async () => {
    // Nothing listens there, and fetch refuses no such port.
    const env = { FJORD_URL: "http://127.0.0.1:2", FJORD_KEY: "a-key" };
    expect(await cli.run(["keys", "revoke", "some"], { env })).toMatchObject({ code: 5 });
  });
});
