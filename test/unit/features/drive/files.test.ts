import { env, exports } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DriveListAnswer, DriveSignAnswer } from "../../../../kernel/wire/drive.ts";
import { decodeCursor, encodeCursor } from "../../../../src/features/drive/list-page.ts";
import { objectKeyOf } from "../../../../src/features/drive/object-key.ts";
import { comparePaths } from "../../../../src/features/drive/path.ts";
import { sweepDrive } from "../../../../src/features/drive/sweep.ts";
import { mintToken, type Token } from "../../../../src/platform/crypto/token.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const long = (name: string) => `long/${"é".repeat(600)}${name}`;

/** Writes a file like a client that was given a URL, with the bucket instead of the URL. */
async function put(team: TestTeam, path: string, content = path): Promise<void> {
  expect((await call("POST", "/v3/drive/upload-url", { key: team.member.key, body: { path } })).status).toBe(200);
  await env.BUCKET.put((await objectKeyOf(team.id, path)).key, content);
}

const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
const list = (team: TestTeam, parameters: Record<string, string> = {}) =>
  call("GET", `/v3/drive/files?${query(parameters)}`, { key: team.member.key });
const file = (method: string, team: TestTeam, path: string) =>
  call(method, `/v3/drive/file?${query({ path })}`, { key: team.member.key });

/** Every page, one after the other. */
async function listAll(
  team: TestTeam,
  parameters: Record<string, string>,
): Promise<{ files: string[]; folders: string[]; pages: number }> {
  const [files, folders]: string[][] = [[], []];
  let cursor: string | null = "";
  let pages = 0;
  while (cursor !== null) {
    expect(++pages).toBeLessThan(100);
    const {
      status,
      body,
    }: { status: number; body: { files: { path: string }[]; folders: string[]; cursor: string | null } } = await list(
      team,
      { ...parameters, ...(cursor ? { cursor } : {}) },
    );
    expect(status).toBe(200);
    files!.push(...body.files.map(({ path }) => path));
    folders!.push(...body.folders);
    cursor = body.cursor;
  }
  return { files: files!, folders: folders!, pages };
}

const PATHS = [
  "a.csv",
  "b/1.csv",
  "b/2.csv",
  "b/c/3.csv",
  "b.txt",
  "é/x",
  "\uffee",
  "🙂/y",
  "z",
  long("1"),
  long("2"),
  `${"z".repeat(1_000)}/far`,
];

describe("listDriveFiles", async () => {
  const team = await newTeam();
  for (const path of PATHS) await put(team, path);
  const sorted = [...PATHS].sort(comparePaths);

  it.each([1, 2, 3, 5, 1_000])("lists every file once, in order, by pages of %i", async (limit) => {
    expect((await listAll(team, { limit: String(limit) })).files).toEqual(sorted);
  });

  it("lists what begins with a prefix", async () => {
    expect((await listAll(team, { prefix: "b/" })).files).toEqual(["b/1.csv", "b/2.csv", "b/c/3.csv"]);
    expect((await listAll(team, { prefix: "long/é" })).files).toEqual([long("1"), long("2")]);
    expect((await listAll(team, { prefix: "nothing" })).files).toEqual([]);
  });

  it.each([1, 2, 4, 1_000])("shows folders once each, by pages of %i", async (limit) => {
    const { files, folders } = await listAll(team, { delimiter: "/", limit: String(limit) });
    expect(folders).toEqual(["b/", "long/", `${"z".repeat(1_000)}/`, "é/", "🙂/"].sort(comparePaths));
    expect(files).toEqual(["a.csv", "b.txt", "z", "\uffee"].sort(comparePaths));
    expect((await listAll(team, { delimiter: "/", prefix: "b/" })).folders).toEqual(["b/c/"]);
  });

  it("tells of each file what there is to tell", async () => {
    const { body } = await list(team, { prefix: "b/1" });
    expect(body.files).toEqual([
      {
        path: "b/1.csv",
        bytes: 7,
        etag: expect.stringMatching(/^[0-9a-f]{32}$/),
        modified_at: expect.any(String),
        gcs_path: `gs://fjord/${team.id}/drive/b/1.csv`,
        drive_path: "/home/user/drive/b/1.csv",
      },
    ]);
  });

  it("shows no file of another team", async () => {
    const other = await newTeam();
    expect(await listAll(other, {})).toMatchObject({ files: [], folders: [] });
    // A prefix is a path, not a key: it can't climb out.
    expect(await listAll(other, { prefix: `../../${team.id}/drive/` })).toMatchObject({ files: [] });
  });

  it.each([{ cursor: "ÿ" }, { cursor: "" }, { limit: "0" }, { limit: "1001" }, { delimiter: "." }, { unknown: "1" }])(
    "answers 400 to %j",
    async (parameters) => {
      expect((await list(team, parameters as unknown as Record<string, string>)).status).toBe(400);
    },
  );
});

describe("getDriveFile, createDownloadUrl and deleteDriveFile", () => {
  it.each(["a b/c+d%20.csv", " ", "e\u0301", long("x")].filter((path) => path.trim()))(
    "find %j, and no more once it is deleted",
    async (path) => {
      const team = await newTeam();
      await put(team, path, "12345");
      expect(await file("GET", team, path)).toMatchObject({ status: 200, body: { path, bytes: 5 } });
      const download = await call("POST", "/v3/drive/download-url", { key: team.member.key, body: { path } });
      expect(download).toMatchObject({
        status: 200,
        body: { file: { path, bytes: 5 }, download_url: expect.stringContaining("X-Amz-Expires=3600") },
      });
      expect((await file("DELETE", team, path)).status).toBe(204);
      expect((await file("GET", team, path)).status).toBe(404);
      expect((await file("DELETE", team, path)).status).toBe(404);
      expect((await call("POST", "/v3/drive/download-url", { key: team.member.key, body: { path } })).status).toBe(404);
      expect((await listAll(team, {})).files).toEqual([]);
    },
  );

  it("answer for another team's file as for none", async () => {
    const [ours, theirs] = [await newTeam(), await newTeam()];
    await put(theirs, "secret.csv");
    for (const method of ["GET", "DELETE"]) expect((await file(method, ours, "secret.csv")).status).toBe(404);
    expect((await file("GET", theirs, "secret.csv")).status).toBe(200);
  });

  it("refuse what can be no path", async () => {
    const team = await newTeam();
    expect(await file("GET", team, "../x")).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_path", flaws: [{ pointer: "/query/path" }] } },
    });
    expect((await file("DELETE", team, "")).status).toBe(400);
    expect((await call("GET", "/v3/drive/file", { key: team.member.key })).status).toBe(400);
  });
});

describe("a long path", () => {
  const rows = (team: TestTeam) =>
    env.DB.prepare("select check_at from drive_long_paths where team_id = ?")
      .bind(team.id)
      .all<{ check_at: string | null }>();
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);

  it("is forgotten once nothing can come under it any more, and kept once something has", async () => {
    const team = await newTeam();
    await put(team, long("here"));
    await call("POST", "/v3/drive/upload-url", { key: team.member.key, body: { path: long("never") } });
    await sweepDrive(openClients(env as Env), later(1));
    expect((await rows(team)).results).toHaveLength(2);
    await sweepDrive(openClients(env as Env), later(3));
    expect((await rows(team)).results).toEqual([{ check_at: null }]);
    // A deletion leaves the path to be checked again: an old URL may still write there.
    await file("DELETE", team, long("here"));
    expect((await listAll(team, {})).files).toEqual([]);
    await sweepDrive(openClients(env as Env), later(3));
    expect((await rows(team)).results).toEqual([]);
  });
});

describe("containers", () => {
  async function post(path: string, token: Token | undefined, body: unknown) {
    const raw = JSON.stringify(body);
    const headers = {
      "content-type": "application/json",
      "content-length": String(new TextEncoder().encode(raw).length),
    };
    const authorization = token ? { authorization: `Bearer ${await mintToken(env as Env, token)}` } : {};
    const response = await exports.default.fetch(`https://fjord.test/internal/drive${path}`, {
      method: "POST",
      headers: { ...headers, ...authorization },
      body: raw,
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }
  const driveToken = (teamId: string, ms = 60_000): Token => ({ use: "drive", teamId, expiresAt: Date.now() + ms });

  it("list and sign the files of their token's team", async () => {
    const team = await newTeam();
    for (const path of ["a", "b/c", long("d")]) await put(team, path);
    const first = DriveListAnswer.parse((await post("/list", driveToken(team.id), { cursor: null, limit: 2 })).body);
    expect(first).toMatchObject({
      root: `gs://fjord/${team.id}/drive/`,
      files: [{ path: "a", bytes: 1, etag: expect.any(String), modified: expect.any(String) }, { path: "b/c" }],
      cursor: expect.any(String),
    });
    const second = DriveListAnswer.parse((await post("/list", driveToken(team.id), { cursor: first.cursor })).body);
    expect([second.files.map(({ path }) => path), second.cursor]).toEqual([[long("d")], null]);
    expect(
      DriveListAnswer.parse((await post("/list", driveToken(team.id), { cursor: null, prefix: "b/" })).body).files,
    ).toHaveLength(1);
    const { urls } = DriveSignAnswer.parse(
      (await post("/sign", driveToken(team.id), { paths: ["a", long("d")] })).body,
    );
    expect(new URL(urls["a"]!).pathname).toBe(`/fjord/${team.id}/drive/a`);
    expect(new URL(urls[long("d")]!).pathname).toMatch(new RegExp(`^/fjord/${team.id}/drive-long/`));
  });

  it("list one folder at a time, with the folders in it once each, in one order", async () => {
    const team = await newTeam();
    for (const path of ["a/1", "a/2", "a/3", "b", "c/d/e", "long/short", long("y"), long("z")]) await put(team, path);
    const listed = async (prefix: string) => {
      const names: string[] = [];
      for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages++) {
        expect(pages).toBeLessThan(10);
        const page: DriveListAnswer = DriveListAnswer.parse(
          (await post("/list", driveToken(team.id), { cursor, prefix, delimiter: "/", limit: 2 })).body,
        );
        names.push(...page.files.map(({ path }) => path), ...page.folders!);
        cursor = page.cursor;
      }
      return names.sort();
    };
    expect(await listed("")).toEqual(["a/", "b", "c/", "long/"]);
    expect(await listed("a/")).toEqual(["a/1", "a/2", "a/3"]);
    expect(await listed("c/")).toEqual(["c/d/"]);
    expect(await listed("long/")).toEqual(["long/short", long("y"), long("z")]);
    expect((await post("/list", driveToken(team.id), { cursor: null, delimiter: "x" })).status).toBe(422);
    expect(
      DriveListAnswer.parse((await post("/list", driveToken(team.id), { cursor: null })).body).folders,
    ).toBeUndefined();
  });

  it("may come with a query's token, and with no other", async () => {
    const team = await newTeam();
    const query: Token = {
      use: "lake",
      teamId: team.id,
      lakeId: "l",
      snapshotId: 1,
      reader: "everything",
      expiresAt: Date.now() + 60_000,
    };
    expect((await post("/list", query, { cursor: null })).status).toBe(200);
    const refused = [
      undefined,
      driveToken(team.id, -1),
      { ...query, use: "export" } as Token,
      {
        use: "job",
        teamId: team.id,
        lakeId: "l",
        jobId: "j",
        lease: "x",
        fence: 1,
        expiresAt: Date.now() + 60_000,
      } as Token,
    ];
    for (const token of refused)
      for (const [path, body] of [
        ["/list", { cursor: null }],
        ["/sign", { paths: ["a"] }],
      ] as const)
        expect((await post(path, token, body)).status).toBe(401);
  });

  it("are refused paths that could lead out of the drive, and bodies of another form", async () => {
    const token = driveToken((await newTeam()).id);
    expect((await post("/sign", token, { paths: ["a", "x/../../../y"] })).body.error).toMatchObject({
      code: "invalid_path",
      flaws: [{ pointer: "/paths/1" }],
    });
    expect((await post("/sign", token, { paths: [] })).status).toBe(422);
    expect((await post("/list", token, { cursor: "ÿ" })).status).toBe(422);
    expect((await post("/list", token, {})).status).toBe(422);
  });
});

describe("the order of paths", () => {
  it("is that of their UTF-8 bytes, and cursors give every place back", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 20 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const bytes = (path: string) =>
          [...new TextEncoder().encode(path)].map((byte) => String.fromCharCode(byte)).join("");
        expect(Math.sign(comparePaths(one, other))).toBe(
          bytes(one) < bytes(other) ? -1 : bytes(one) > bytes(other) ? 1 : 0,
        );
        expect(decodeCursor(encodeCursor(one))).toBe(one);
      }),
    );
  });
});
