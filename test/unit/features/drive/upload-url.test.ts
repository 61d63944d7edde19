import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sweepDrive } from "../../../../src/features/drive/sweep.ts";
import { call, send } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";
import { openClients } from "../../../../src/clients/clients.ts";

const { member, id: teamId } = await newTeam();
const upload = (body: unknown) => call("POST", "/v3/drive/upload-url", { key: member.key, body });
const keyOf = (url: string) => decodeURIComponent(new URL(url).pathname.split("/fjord/")[1]!);

describe("createUploadUrl", () => {
  it("answers all that a client needs to send the file by the URL alone", async () => {
    const before = Date.now();
    const { status, body } = await upload({ path: "reports/may.csv" });
    expect(status).toBe(200);
    expect(body).toEqual({
      upload_url: expect.stringContaining(`/fjord/${teamId}/drive/reports/may.csv?`),
      gcs_path: `gs://fjord/${teamId}/drive/reports/may.csv`,
      drive_path: "/home/user/drive/reports/may.csv",
      headers: {},
      expires_at: null,
      upload_url_expires_at: expect.any(String),
    });
    const query = new URL(body.upload_url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ "X-Amz-Expires": "3600", "X-Amz-SignedHeaders": "host" });
    expect(Date.parse(body.upload_url_expires_at) - before).toBeGreaterThanOrEqual(3_600_000 - 1_000);
  });

  const EMPTY = "Path cannot be empty";
  const TRAVERSAL = "Invalid path: path traversal is not allowed";
  const BACKSLASH = "Invalid path: backslashes are not allowed";
  const LENGTH = "Invalid path: at most 1024 characters are allowed";
  const long = "x".repeat(1_025);

  it.each([
    ["", EMPTY],
    ["   ", EMPTY],
    ["..", TRAVERSAL],
    ["a/../b", TRAVERSAL],
    ["a..b", TRAVERSAL],
    ["/a", TRAVERSAL],
    ["/", TRAVERSAL],
    ["a\\b", BACKSLASH],
    [long, LENGTH],
    ["🙂".repeat(1_025), LENGTH],
    // The specification's order decides between several flaws.
    ["/a\\b", TRAVERSAL],
    ["..\\", TRAVERSAL],
    [`/${long}`, TRAVERSAL],
    [`\\${long}`, BACKSLASH],
    [`${long}//`, LENGTH],
    // Beyond the specification: what would not be one file in a folder.
    ["a//b", "Invalid path: empty segments are not allowed"],
    ["a/", "Invalid path: a file's path does not end with a slash"],
    ["./a", "Invalid path: segments of one dot are not allowed"],
    ["a/./b", "Invalid path: segments of one dot are not allowed"],
    ["a\u0000b", "Invalid path: control characters are not allowed"],
    ["a\u2028b", "Invalid path: line and paragraph separators (U+2028, U+2029) are not allowed"],
    ["a/\u2029", "Invalid path: line and paragraph separators (U+2028, U+2029) are not allowed"],
    ["a\nb", "Invalid path: control characters are not allowed"],
    ["a\u{10FFFF}", "Invalid path: control characters are not allowed"],
    ["a\ud800", "Invalid path: control characters are not allowed"],
  ])("refuses %j", async (path, message) => {
    expect(await upload({ path })).toMatchObject({
      status: 400,
      body: { message, error: { code: "invalid_path", flaws: [{ pointer: "/path", message }] } },
    });
  });

  it.each([
    "a",
    "a/b c/d.csv",
    " a ",
    "é",
    "e\u0301",
    "%2e%2e/%2F",
    "a+b?c#d&e=f",
    "日本/🙂",
    ".hidden",
    "a.",
    "-",
    "x".repeat(1_024),
    "🙂".repeat(1_024),
    `${`${"é".repeat(255)}/`.repeat(3)}end`,
  ])("takes %j literally", async (path) => {
    const { status, body } = await upload({ path });
    expect(status).toBe(200);
    expect([body.gcs_path, body.drive_path]).toEqual([
      `gs://fjord/${teamId}/drive/${path}`,
      `/home/user/drive/${path}`,
    ]);
    const key = keyOf(body.upload_url);
    expect(new TextEncoder().encode(key).length).toBeLessThanOrEqual(1_024);
    expect(key.startsWith(`${teamId}/drive`)).toBe(true);
  });

  it("gives paths that no key can hold keys of their own, the same each time", async () => {
    const [one, other] = ["é".repeat(1_000), `${"é".repeat(999)}e`];
    const [first, again, second] = [
      await upload({ path: one }),
      await upload({ path: one }),
      await upload({ path: other }),
    ].map(({ body }) => keyOf(body.upload_url));
    expect(first).toMatch(new RegExp(`^${teamId}/drive-long/[0-9a-f]{64}$`));
    expect(again).toBe(first);
    expect(second).not.toBe(first);
    // A key may have 1,024 bytes, and 43 of them are the team's.
    const lastPlain = "x".repeat(1_024 - 43);
    expect(keyOf((await upload({ path: lastPlain })).body.upload_url)).toBe(`${teamId}/drive/${lastPlain}`);
    expect(keyOf((await upload({ path: `${lastPlain}x` })).body.upload_url)).toMatch(/drive-long/);
  });

  it.each([
    ["no path", {}],
    ["null", { path: null }],
    ["another type", { path: 7 }],
    ["an unknown field", { path: "a", size: 1 }],
    ["a list", []],
    ["a time to live without being temporary", { path: "a", ttl_days: 1 }],
    ["a hint without being temporary", { path: "a", filename_hint: "b" }],
    ["a path for a temporary file", { path: "a", temporary: true }],
    ["0 days", { temporary: true, ttl_days: 0 }],
    ["31 days", { temporary: true, ttl_days: 31 }],
    ["half a day", { temporary: true, ttl_days: 1.5 }],
  ])("answers 400 to %s", async (_, body) => {
    expect((await upload(body)).status).toBe(400);
  });

  it("answers 400 to what is no JSON and to unknown parameters, and 413 and 415 where they are the truth", async () => {
    const sent = (options: Parameters<typeof call>[2]) =>
      call("POST", "/v3/drive/upload-url", { key: member.key, ...options });
    expect(await sent({ raw: "{", headers: { "content-type": "application/json" } })).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_request" } },
    });
    expect(
      (await sent({ raw: new Uint8Array([0x22, 0xff, 0x22]), headers: { "content-type": "application/json" } })).status,
    ).toBe(400);
    expect((await call("POST", "/v3/drive/upload-url?x=1", { key: member.key, body: { path: "a" } })).status).toBe(400);
    expect((await sent({ raw: " ".repeat(5_000_000), headers: { "content-type": "application/json" } })).status).toBe(
      413,
    );
    expect((await sent({ raw: "path=a", headers: { "content-type": "text/plain" } })).status).toBe(415);
  });

  it("answers 403 without a key that somebody holds", async () => {
    for (const key of [undefined, "garbage", `${member.id}-${"A".repeat(32)}`]) {
      expect(await call("POST", "/v3/drive/upload-url", { key, body: { path: "a" } })).toMatchObject({
        status: 403,
        body: { error: { code: "forbidden_invalid_key" } },
      });
    }
  });
});

describe("a temporary file", () => {
  it("has a path of its own, and an end after the days asked for", async () => {
    const [one, other] = [
      await upload({ temporary: true, ttl_days: 1, filename_hint: "events.parquet" }),
      await upload({ temporary: true }),
    ];
    expect(one.body.gcs_path).toMatch(
      new RegExp(`^gs://fjord/${teamId}/drive/_tmp/\\d{4}-\\d\\d-\\d\\d/[0-9a-f-]{36}/events\\.parquet$`),
    );
    expect(other.body.drive_path).toMatch(/\/file$/);
    const days = (at: string) => Math.round((Date.parse(at) - Date.now()) / 86_400_000);
    expect([days(one.body.expires_at), days(other.body.expires_at)]).toEqual([1, 7]);
  });

  it.each([
    ["../../etc/passwd", "passwd"],
    ["a\\b.csv", "b.csv"],
    ["..", "file"],
    ["a/", "file"],
    ["x\u0000..y", "x.y"],
    ["é".repeat(500), "é".repeat(200)],
    [null, "file"],
  ])("makes a name of the hint %j", async (filename_hint, name) => {
    const { status, body } = await upload({ temporary: true, filename_hint });
    expect([status, body.drive_path.split("/").at(-1)]).toEqual([200, name]);
  });

  it("is removed by the clock when its time is over, and not before", async () => {
    const { body } = await upload({ temporary: true, ttl_days: 2 });
    const kept = await upload({ path: "kept.csv" });
    const [key, keptKey] = [keyOf(body.upload_url), keyOf(kept.body.upload_url)];
    await env.BUCKET.put(key, "temporary");
    await env.BUCKET.put(keptKey, "kept");
    const after = (ms: number) => new Date(Date.parse(body.expires_at) + ms);
    await sweepDrive(openClients(env as Env), after(-1));
    expect(await env.BUCKET.head(key)).not.toBeNull();
    expect((await sweepDrive(openClients(env as Env), after(0))).temporaryFilesRemoved).toBeGreaterThanOrEqual(1);
    expect([await env.BUCKET.head(key), (await env.BUCKET.head(keptKey))?.size]).toEqual([null, 4]);
    expect((await sweepDrive(openClients(env as Env), after(0))).temporaryFilesRemoved).toBe(0);
  });
});

it("records who asked for a URL to write to", async () => {
  await upload({ path: "audited.csv" });
  const row = await env.DB.prepare(
    "select actor_id from audit_events where action = 'upload_url.create' and subject_id = 'audited.csv'",
  ).first<string>("actor_id");
  expect(row).toBe(member.id);
});

it("keeps version 3 to its routes", async () => {
  expect((await send("GET", "/v3/nothing")).status).toBe(404);
});
