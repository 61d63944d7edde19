import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openClients } from "../../../../src/clients/clients.ts";
import { planLinkedFile } from "../../../../src/features/linked-files/linked-file.ts";
import { LINKED_FILE_LIMITS } from "../../../../src/features/linked-files/limits.ts";
import { insertLinkedFileStatements } from "../../../../src/features/linked-files/store.ts";
import { sweepLinkedFiles } from "../../../../src/features/linked-files/sweep.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call, send } from "../../../support/unit/http.ts";
import { addLinkedFile } from "../../../support/unit/messages/linked-files.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v4/linked-files";
const reading = { right: "queries:write" } as const;
refusesStrangers("listLinkedFiles", (key) => call("GET", PATH, { key }), reading);
refusesStrangers("deleteLinkedFile", (key) => call("DELETE", `${PATH}/${crypto.randomUUID()}`, { key }), reading);

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
});
const add = (more: Parameters<typeof addLinkedFile>[2] = {}) => addLinkedFile(team.id, team.member.id, more);
const rowOf = (id: string) => env.DB.prepare("select * from linked_files where id = ?").bind(id).first();
const list = async (key: string) => (await call("GET", PATH, { key })).body.data.items as { id: string }[];
const remove = (id: string, key = team.member.key) => call("DELETE", `${PATH}/${id}`, { key });

describe("fetchLinkedFile", () => {
  it("answers an address that is unknown, none, ended, revoked, or whose team or object is gone, alike", async () => {
    const now = new Date();
    const ended = await add({ now: new Date(now.getTime() - 3_600_001) });
    const revoked = await add();
    expect((await remove(revoked.id)).status).toBe(204);
    const lost = await add();
    await env.BUCKET.delete(lost.objectKey);
    const other = await newTeam();
    const buried = await addLinkedFile(other.id, other.member.id);
    await env.DB.prepare("update teams set deleted_at = '2000' where id = ?").bind(other.id).run();
    const live = await add();
    const paths = [
      ...[ended.path, revoked.path, lost.path, buried.path],
      ...[`/f/${"A".repeat(43)}`, "/f/short", `${live.path}x`, `/f/${live.tokenHash}`, `/f/${live.id}`],
    ];
    const answers = await Promise.all(paths.map((path) => call("GET", path)));
    const bodies = answers.map(({ status, body }) => ({ status, error: body.error, message: body.message }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ status: 404, error: { code: "resource_not_found" } });
  });

  it("streams the file under its name, so that a browser neither shows, runs nor keeps it", async () => {
    const { path } = await add({ name: 'Umsätze "2026".html', mediaType: "text/html", content: "<script>1</script>" });
    const answer = await send("GET", path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("<script>1</script>");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html",
      "content-disposition":
        "attachment; filename=\"Ums_tze _2026_.html\"; filename*=UTF-8''Ums%C3%A4tze%20_2026_.html",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-robots-tag": "noindex",
    });
  });

  it.each([
    ["../../etc/passwd", "__.._etc_passwd"],
    ["a\r\nSet-Cookie: x", "a_Set-Cookie_ x"],
    ["", "file"],
    ["\u202Egnp.exe", "_gnp.exe"],
    [`${"é".repeat(400)}.csv`, `${"é".repeat(199)}…`],
  ])("names a file %j as %j", async (name, plain) => {
    const { path, id } = await add({ name });
    expect(await rowOf(id)).toMatchObject({ name: plain });
    const answer = await send("GET", path);
    const encoded = answer.headers.get("content-disposition")!.split("filename*=UTF-8''")[1]!;
    expect(decodeURIComponent(encoded)).toBe(plain);
    await answer.body?.cancel();
  });

  it("says of a media type that is none that it knows nothing of it", async () => {
    const { path } = await add({ mediaType: "text/html\r\nX-Injected: 1" });
    const answer = await send("GET", path);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("x-injected")).toBeNull();
    await answer.body?.cancel();
  });

  it("counts each download, and no look at the headers", async () => {
    const { path, id } = await add();
    await (await send("GET", path)).text();
    await (await send("GET", path)).text();
    const head = await send("HEAD", path);
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const [shown] = (await list(team.member.key)).filter((each) => each.id === id);
    expect(shown).toMatchObject({ downloads: 2, downloaded_at: expect.any(String) });
  });

  it("leaves its token in no log line, whatever breaks", async () => {
    const { path, objectKey } = await add();
    await env.DB.prepare("alter table linked_files rename to elsewhere").run();
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const answer = await send("GET", path);
    await answer.text();
    await env.DB.prepare("alter table elsewhere rename to linked_files").run();
    const printed = log.mock.calls.flat().join();
    log.mockRestore();
    expect(answer.status).toBe(500);
    expect(printed).toContain('"path":"/f/…"');
    expect(printed).not.toContain(path.slice(3));
    expect(await env.BUCKET.head(objectKey)).not.toBeNull();
  });
});

describe("planLinkedFile", () => {
  const file = (more: object = {}) => ({
    ...{ teamId: team.id, madeBy: team.member.id, name: "a.csv", mediaType: "text/csv", bytes: 1 },
    ...{ endsAt: new Date(Date.now() + 1_000), ...more },
  });

  it("keeps the hash of 256 bits and nothing else of the address", async () => {
    const planned = await Promise.all(Array.from({ length: 100 }, () => planLinkedFile(file(), new Date())));
    expect(new Set(planned.map(({ path }) => path)).size).toBe(100);
    for (const { path, row } of planned) {
      const token = path.slice("/f/".length);
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(JSON.stringify(row)).not.toContain(token);
    }
  });

  it("plans none that lasts longer than its bound, or has no end", async () => {
    const now = new Date();
    const at = (days: number) => new Date(now.getTime() + days * 86_400_000);
    await expect(planLinkedFile(file({ endsAt: at(LINKED_FILE_LIMITS.daysMax) }), now)).resolves.toBeDefined();
    await expect(planLinkedFile(file({ endsAt: at(LINKED_FILE_LIMITS.daysMax + 1) }), now)).rejects.toThrow();
    await expect(planLinkedFile(file({ endsAt: new Date(Number.NaN) }), now)).rejects.toThrow();
  });

  it("fails its whole batch where the team has as many as it may", async () => {
    const crowded = await newTeam();
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?2)
       insert into linked_files (id, team_id, token_hash, name, media_type, object_key, bytes, made_by, created_at, ends_at, downloads)
       select ?1 || i, ?1, ?1 || i, 'a', 'text/csv', 'x', 1, ?1, '', '2999', 0 from n`,
    )
      .bind(crowded.id, LINKED_FILE_LIMITS.perTeamMax)
      .run();
    await expect(addLinkedFile(crowded.id, crowded.member.id)).rejects.toThrow();
    const db = openDb(env.DB);
    const { row } = await planLinkedFile(file(), new Date());
    await db.batch([...insertLinkedFileStatements(db, row)]);
    expect(await rowOf(row.id)).not.toBeNull();
    await env.DB.prepare("delete from linked_files where team_id = ?").bind(crowded.id).run();
  });
});

describe("listLinkedFiles and deleteLinkedFile", () => {
  it("are for who made a link, and for admins, and for nobody else", async () => {
    const { id } = await add();
    const colleague = await team.newMember();
    expect((await list(colleague.key)).map((each) => each.id)).not.toContain(id);
    expect((await remove(id, colleague.key)).status).toBe(404);
    for (const key of [team.member.key, team.admin.key])
      expect((await list(key)).find((each) => each.id === id)).toMatchObject({ made_by: team.member.id, bytes: 5 });
    expect((await remove(id, team.admin.key)).status).toBe(204);
    expect((await remove(id, team.admin.key)).status).toBe(404);
    expect((await list(team.admin.key)).map((each) => each.id)).not.toContain(id);
    const audit = await env.DB.prepare("select * from audit_events where subject_id = ?").bind(id).all();
    expect(audit.results).toMatchObject([{ action: "linked_file.delete", actor_id: team.admin.id }]);
  });

  it("show no address, nor where its object is", async () => {
    const { id, path, tokenHash } = await add();
    const shown = JSON.stringify((await list(team.admin.key)).find((each) => each.id === id));
    for (const secret of [path.slice(3), tokenHash, "linked-files"]) expect(shown).not.toContain(secret);
  });
});

describe("sweepLinkedFiles", () => {
  it("deletes what has ended or was revoked, objects and rows, and leaves the others", async () => {
    const now = new Date();
    const ended = await add({ now: new Date(now.getTime() - 3_600_001) });
    const [revoked, live] = [await add(), await add()];
    await remove(revoked.id);
    const clients = openClients(env);
    const failing = { ...clients, bucket: { ...clients.bucket, delete: () => Promise.reject(new Error("away")) } };
    await expect(sweepLinkedFiles(failing, now)).rejects.toThrow("away");
    expect(await rowOf(ended.id)).not.toBeNull();
    const { linkedFilesDeleted } = await sweepLinkedFiles(clients, new Date());
    expect(linkedFilesDeleted).toBeGreaterThanOrEqual(2);
    for (const { id, objectKey } of [ended, revoked]) {
      expect(await rowOf(id)).toBeNull();
      expect(await env.BUCKET.head(objectKey)).toBeNull();
    }
    expect((await send("GET", live.path)).status).toBe(200);
    expect(await sweepLinkedFiles(clients, new Date())).toEqual({ linkedFilesDeleted: 0 });
  });
});
