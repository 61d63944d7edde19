// The command line where its platform, its disk or its user does what nobody hopes for. The platform is a fake one.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeCommandLine, type CommandLine, type Outcome } from "./command-line.ts";
import { fakePlatform, type FakePlatform, type Replies } from "./fake-platform.ts";

const KEY = "a-key";
const ESCAPE = "\u001b]0;owned\u0007";

let cli: CommandLine;
let fake: FakePlatform;
beforeAll(async () => void ([cli, fake] = await Promise.all([makeCommandLine(), fakePlatform()])));
afterAll(() => Promise.all([cli.remove(), fake.close()]));
beforeEach(() => void (fake.replies = {}));

const run = (args: string[], { env, ...options }: Parameters<CommandLine["run"]>[1] = {}): Promise<Outcome> =>
  cli.run(args, { ...options, env: { FJORD_URL: fake.url, FJORD_KEY: KEY, ...env } });

/** Each must end with its code, and say its words. */
async function endsWith(...cases: [args: string[], code: number, words: string][]): Promise<void> {
  for (const [args, code, words] of cases) {
    const outcome = await run(args);
    expect(outcome, `${args.join(" ")}: ${outcome.stderr}`).toMatchObject({ code });
    expect(outcome.stderr).toContain(words);
  }
}

async function write(path: string, text: string | Uint8Array): Promise<void> {
  const file = join(cli.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** A team without integrations, and roles that are kept as they are made. */
function team(): { made: string[]; replies: Replies } {
  const made: string[] = [];
  const list = (items: unknown[]) => ({ body: { data: { items, has_more: false }, meta: {} } });
  return {
    made,
    replies: {
      "GET /v4/me": () => ({ body: { data: { team: { id: "team", name: "Team" } } } }),
      "GET /v1/api/integrations": () => list([]),
      "GET /v4/data-access/roles": () => list([]),
      "POST /v4/data-access/roles": ({ body }) => {
        const { name } = JSON.parse(body.toString()) as { name: string };
        made.push(name);
        return { body: { data: { id: name, version: 1 } } };
      },
    },
  };
}

describe("standard output", () => {
  it("that nobody reads ends no push, and one that is full is a failure", async () => {
    const { made, replies } = team();
    fake.replies = { ...replies, "POST /v1/query": () => ({ body: Buffer.alloc(300_000, "row\n") }) };
    await write("pipe/one.yaml", "name: One\n");
    await write("pipe/two.yaml", "name: Two\n");
    for (const args of [["roles", "diff", "pipe"], ["query", "-o", "csv", "SELECT 1"], ["--version"]]) {
      const full = await run(args, { to: "> /dev/full" });
      expect(full, args.join(" ")).toMatchObject({ code: 1, stderr: expect.stringContaining("Standard output") });
    }
    expect(await run(["roles", "push", "pipe", "--yes"], { to: "> /dev/full" })).toMatchObject({ code: 1 });
    expect(made).toEqual([]);
    expect(await run(["query", "-o", "csv", "SELECT 1"], { to: "| head -n 1" })).toMatchObject({
      ...{ code: 0, stdout: "row\n", stderr: "" },
    });
    const pushed = await run(["roles", "push", "pipe", "--yes"], { to: "| true" });
    expect(pushed).toMatchObject({ code: 0, stderr: "Pushed 2.\n" });
    expect(made).toEqual(["One", "Two"]);
  });
});

describe("fjord drive cp", () => {
  const bytes = Buffer.alloc(400_000, "drive");
  const file = { path: "a.bin", bytes: bytes.length, etag: '"tag"', modified_at: "" };
  const served = (content: Buffer): Replies => ({
    "GET /v3/drive/file": () => ({ body: file }),
    "POST /v3/drive/download-url": () => ({ body: { download_url: `${fake.url}/object`, file } }),
    "GET /object": ({ headers }) => {
      const from = Number(/bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
      return { status: from > 0 ? 206 : 200, body: content.subarray(from), headers: { etag: file.etag } };
    },
  });
  const part = (owner: string) =>
    `down/.a.bin.${createHash("sha256").update(file.etag).digest("hex").slice(0, 8)}.${owner}part`;
  const arrived = () => readFile(join(cli.folder, "down/a.bin"));

  it("puts the whole file in place or none, whatever parts lie there and however many copies run", async () => {
    fake.replies = served(bytes);
    // No process has so high an id.
    const [gone, here] = ["99999999.", `${process.pid}.`];
    await mkdir(join(cli.folder, "down"));
    for (const left of [part(""), part(gone)]) await write(left, Buffer.alloc(bytes.length + 1));
    expect(await run(["drive", "cp", "drive:a.bin", "down"])).toMatchObject({ code: 0 });
    expect((await arrived()).equals(bytes)).toBe(true);
    await write(part(gone), bytes.subarray(0, 300_000));
    await write(part(here), Buffer.alloc(10));
    const copies = [1, 2, 3].map(() => run(["drive", "cp", "drive:a.bin", "down/a.bin"]));
    expect((await Promise.all(copies)).map(({ code }) => code)).toEqual([0, 0, 0]);
    expect((await arrived()).equals(bytes)).toBe(true);
    expect(await readFile(join(cli.folder, part(here)))).toHaveLength(10);
    expect((await readdir(join(cli.folder, "down"))).filter((name) => name.includes(gone))).toEqual([]);
    await write("down/a.bin", "old");
    for (const wrong of [Buffer.concat([bytes, bytes]), bytes.subarray(0, 9)]) {
      fake.replies = served(wrong);
      expect(await run(["drive", "cp", "drive:a.bin", "down/a.bin"])).toMatchObject({ code: 1 });
      expect(await run(["drive", "cp", "drive:a.bin", "-"])).toMatchObject({ code: 1 });
      expect(String(await arrived())).toBe("old");
    }
    fake.replies = served(bytes);
    const printed = await run(["drive", "cp", "drive:a.bin", "-"]);
    expect(printed).toMatchObject({ code: 0, stdout: bytes.toString(), stderr: "" });
  });

  it("sends a file without a state where none can be kept, and no folder", async () => {
    let [completed, numbers] = [false, [] as number[]];
    fake.replies = {
      "POST /v3/drive/uploads": () => ({
        body: { upload_id: "up", part_bytes_min: 1, part_bytes_max: 1e9, parts_max: 10_000 },
      }),
      "POST /v3/drive/uploads/up/parts": ({ body }) => {
        numbers = (JSON.parse(body.toString()) as { part_numbers: number[] }).part_numbers;
        const parts = numbers.map((number) => ({ part_number: number, upload_url: `${fake.url}/part` }));
        return { body: { headers: {}, parts } };
      },
      "PUT /part": () => ({ body: {}, headers: { etag: '"part"' } }),
      "POST /v3/drive/uploads/up/complete": () => ({ body: { completed: (completed = true) } }),
    };
    await write("large.bin", Buffer.alloc(17 * 1024 * 1024));
    const env = { XDG_STATE_HOME: "/dev/null/state" };
    const sent = await run(["drive", "cp", "large.bin", "drive:x"], { env });
    expect(sent, sent.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("cannot be kept") });
    expect([completed, numbers]).toEqual([true, [1, 2]]);
    await endsWith([["drive", "cp", ".", "drive:x"], 2, "is no file"]);
  });
});

describe("an exit code", () => {
  it("says that a platform behind a silent or broken gateway may work later", async () => {
    fake.replies = { "GET /v4/me": () => undefined, "GET /health": () => undefined };
    const never = await run(["status"], { env: { FJORD_ANSWER_SECONDS: "0.2" } });
    expect(never).toMatchObject({ code: 5, stderr: expect.stringContaining("No answer within") });
    fake.replies = { "DELETE /v4/keys/one": () => ({ status: 502, body: "<html>" }) };
    await endsWith([["api", "-X", "DELETE", "/v4/keys/one"], 5, "502"]);
  });

  it("of an address, a key or profiles that are none is 2, and no key is printed", async () => {
    for (const [env, words] of [
      [{ FJORD_URL: "not a url" }, "no address"],
      [{ FJORD_URL: "ftp://127.0.0.1" }, "no address"],
      [{ FJORD_KEY: "fj_secret\nfj_more" }, "line break"],
    ] as [Record<string, string>, string][])
      for (const args of [["status"], ["drive", "ls"], ["api", "/v4/me"]]) {
        const { code, stderr } = await run(args, { env });
        expect([code, stderr], args.join(" ")).toEqual([2, expect.stringContaining(words)]);
        expect(stderr).not.toMatch(/fj_|\n {4}at /);
      }
    const words = await run(["login", fake.url], { env: { FJORD_KEY: "fj_secret\nfj_more" } });
    expect(words).toMatchObject({ code: 2, stderr: expect.not.stringContaining("fj_") });
    await write("broken/fjord/profiles.json", '{"profiles": {"default": 1}}');
    const broken = await run(["status", "--profile", "default"], {
      env: { XDG_CONFIG_HOME: join(cli.folder, "broken") },
    });
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining("profiles.json") });
  });

  it("of a command that no platform could obey is 2, before anything is sent", async () => {
    await endsWith(
      [["api", "-X", "BAD METHOD", "/v4/me"], 2, "no method"],
      [["api", "-X", "GET", "-d", "{}", "/v4/me"], 2, "no body"],
      [["api", "-H", "X-Word: \u2713", "/v4/me"], 2, "X-Word"],
      [["query", "  "], 2, "empty"],
      [["query", "--json", "-o", "parquet", "SELECT 1"], 2, "--json"],
      [["query", "SELECT 1", "-o", "arrow", "-w"], 2, "--watch"],
    );
  });

  it("of a watched statement that is interrupted between its runs is 130", async () => {
    let runs = 0;
    const result = { types: [], data: [], rowCount: 0, meta: { durationMs: 1 }, success: true };
    fake.replies = {
      "POST /v1/query": () => {
        runs++;
        return { body: result };
      },
    };
    const pause = new Promise((resolve) => setTimeout(resolve, 500));
    const interruptOnce = expect
      .poll(() => runs)
      .toBe(2)
      .then(() => pause);
    expect(await run(["query", "--watch", "SELECT 1"], { interruptOnce })).toMatchObject({ code: 130 });
    const short = expect
      .poll(() => runs)
      .toBe(4)
      .then(() => pause);
    expect(await run(["query", "SELECT 1", "-w", "1"], { interruptOnce: short })).toMatchObject({ code: 130 });
  });

  it("of definitions that are none is 2, names the file, and makes nothing", async () => {
    const { made, replies } = team();
    fake.replies = replies;
    await write("twins/a.yaml", "name: Twin\n");
    await write("twins/b.yml", "name: Twin\n");
    await write("grants/a.yaml", "name: A\ngrants: 3\n");
    await write("state/a.yaml", "name: A\n");
    await write("state/.fjord", "{");
    await write("nested/deep/a.yaml", "name: A\n");
    await endsWith(
      [["roles", "push", "nowhere", "--yes"], 2, "no folder nowhere"],
      [["roles", "diff", "nowhere"], 2, "no folder nowhere"],
      [["roles", "push", "twins", "--yes"], 2, "a.yaml and b.yml"],
      [["roles", "push", "grants", "--yes"], 2, "a.yaml: grants"],
      [["roles", "push", "state", "--yes"], 2, "state/.fjord"],
      [["roles", "push", "nested", "--yes"], 2, "deep/a.yaml"],
    );
    expect(made).toEqual([]);
    expect(await readdir(cli.folder)).not.toContain("nowhere");
    await write("notes/README.md", "# Roles\n");
    await write("notes/a.yaml", "name: A\n");
    await endsWith([["roles", "push", "notes", "--yes"], 0, "Pushed 1."]);
  });
});

describe("a failure", () => {
  it("has no sequence that a terminal obeys", async () => {
    const error = { code: "resource_not_found", flaws: [] };
    fake.replies = { "GET /v4/me": () => ({ status: 404, body: { message: `No${ESCAPE}\nteam`, error } }) };
    const { code, stderr } = await run(["api", "/v4/me"]);
    expect([code, stderr]).toEqual([1, "No�]0;owned�\nteam\n(resource_not_found)\n"]);
  });
});

describe("fjord get", () => {
  it("keeps every digit, and shows nothing of a document without the field", async () => {
    const input = '{"a": {"id": 12345678901234567890, "n": [1.10, -2e3], "text": "say \\"7\\""}, "secret": "s"}';
    const get = (field: string) => run(["get", field], { input });
    expect(await get("a.id")).toMatchObject({ code: 0, stdout: "12345678901234567890\n" });
    expect(await get("a")).toMatchObject({
      stdout: '{"id":12345678901234567890,"n":[1.10,-2e3],"text":"say \\"7\\""}\n',
    });
    expect(await get("b")).toMatchObject({ code: 1, stderr: "b is not there.\n" });
  });
});
