// Earlier versions of semantic models: which are kept, what differs between them, and how one comes back.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SEMANTIC_LIMITS } from "../../../../src/features/semantic/limits.ts";
import { findNewest, loadModel } from "../../../../src/features/semantic/load-model.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";
import { addCube, cubeFile, modelPath, newCompiler, storedOf } from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
const compiler = newCompiler();
beforeAll(async () => void (team = await newTeam()));

const put = (id: string, ...names: string[]) =>
  compiler.put(
    team,
    id,
    names.map((name) => cubeFile(name)),
  );
const get = (id: string, more: string) => call("GET", modelPath(id, more), { key: team.admin.key });
const restore = (id: string, body: object) => compiler.ask("POST", modelPath(id, "/restore"), team.admin.key, body);
/** Versions as if they had been saved, without the work of it. */
const insertVersions = (teamId: string, id: string, from: number, to: number, bytes: number) =>
  env.DB.prepare(
    `insert into semantic_model_versions (team_id, integration_id, version, digest, author_id, file_count, bytes, created_at)
     select ?1, ?2, value, 'digest ' || value, ?2, 1, ?5, '2026-01-01T00:00:00.000Z'
     from (with recursive numbers (value) as (select ?3 union all select value + 1 from numbers where value < ?4) select value from numbers)`,
  )
    .bind(teamId, id, from, to, bytes)
    .run();

describe("versions of a semantic model", () => {
  it("are listed newest first, and shown with their files", async () => {
    const id = await addCube(team);
    const saved = [];
    for (const name of ["a", "b", "c"]) saved.unshift((await put(id, name)).body.model);
    const listed = saved.map((version) => ({ ...version, created_by_name: "Ada" }));
    expect((await get(id, "/versions")).body).toMatchObject({ data: listed, total: 3, offset: 0 });
    expect((await get(id, "/versions?limit=1&offset=1")).body).toMatchObject({ data: [listed[1]], total: 3 });
    expect((await get(id, "/versions/2")).body.model).toEqual({ ...saved[1], files: [cubeFile("b")] });
    for (const version of ["0", "4", "-1", "1.5", "x", "99999999999"])
      expect((await get(id, `/versions/${version}`)).status).toBe(404);
  });

  it("are kept up to a number, and their files with them", async () => {
    const id = await addCube(team);
    await put(id, "a");
    await insertVersions(team.id, id, 2, SEMANTIC_LIMITS.versionsKeptMax, 1);
    // The author of those is nobody of the team.
    expect((await get(id, "/versions?limit=1")).body.data).toMatchObject([{ created_by_name: null }]);
    await put(id, "b");
    const { versions, files } = await storedOf(id);
    expect(versions.map(({ version }) => version)).toEqual(
      Array.from({ length: SEMANTIC_LIMITS.versionsKeptMax }, (_, i) => i + 2),
    );
    expect(files).toEqual([{ version: SEMANTIC_LIMITS.versionsKeptMax + 1, path: "b.yml" }]);
    expect((await get(id, "/versions/1")).status).toBe(404);
    expect((await restore(id, { version: 1 })).status).toBe(404);
  });

  it("are kept up to their bytes, the newest and the one before in any case", async () => {
    const id = await addCube(team);
    const bytes = SEMANTIC_LIMITS.versionsKeptBytesMax;
    await insertVersions(team.id, id, 1, 3, bytes / 4);
    await insertVersions(team.id, id, 4, 6, bytes / 4 - 10);
    await put(id, "a");
    const kept = async () => (await storedOf(id)).versions.map(({ version }) => version);
    expect(await kept()).toEqual([4, 5, 6, 7]);
    await insertVersions(team.id, id, 8, 8, 2 * bytes);
    await put(id, "b");
    expect(await kept()).toEqual([8, 9]);
    await put(id, "c");
    expect(await kept()).toEqual([9, 10]);
  });

  it("of a team have so many bytes at most, and none comes that would make them more", async () => {
    const other = await newTeam();
    const [full, id] = [await addCube(other), await addCube(other)];
    await insertVersions(other.id, full, 1, 1, SEMANTIC_LIMITS.bytesPerTeamMax - 1);
    expect(await compiler.put(other, id, [cubeFile("a")])).toMatchObject({
      status: 426,
      body: { error: { code: "business_quota_exceeded" }, message: expect.stringContaining("64 MiB") },
    });
    expect(await storedOf(id)).toEqual({ versions: [], files: [], definitions: [] });
    await call("DELETE", `/v1/api/integrations/${full}`, { key: other.admin.key });
    expect((await compiler.put(other, id, [cubeFile("a")])).status).toBe(200);
  });
});

describe("the ETag of a semantic model", () => {
  const putAt = (id: string, version: string, ...names: string[]) =>
    callWith(compiler.bindings, "PUT", modelPath(id), {
      key: team.admin.key,
      body: { files: names.map((name) => cubeFile(name)) },
      headers: { "if-match": version },
    });

  it("is its version, and If-Match keeps files away that were made of another", async () => {
    const id = await addCube(team);
    expect((await putAt(id, '"1"', "a")).status).toBe(412);
    expect((await putAt(id, '"0"', "a")).body.model.version).toBe(1);
    expect((await get(id, "")).headers.get("etag")).toBe('"1"');
    expect((await putAt(id, '"1"', "b")).body.model.version).toBe(2);
    const late = await putAt(id, '"1"', "c");
    expect([late.status, late.body.error.code]).toEqual([412, "precondition_failed"]);
    // Not even where the files are in place already.
    expect((await putAt(id, '"1"', "b")).status).toBe(412);
    expect((await get(id, "")).body.model.files).toEqual([cubeFile("b")]);
  });
});

describe("a file of a semantic model as its text", () => {
  const pull = (id: string, query = "") =>
    call("GET", modelPath(id, query), { key: team.admin.key, headers: { accept: "application/yaml" } });
  const push = (id: string, query: string, raw: string, headers: Record<string, string> = {}) =>
    callWith(compiler.bindings, "PUT", modelPath(id, query), {
      ...{ key: team.admin.key, raw },
      headers: { "content-type": "application/yaml", ...headers },
    });
  const [a, b, other] = [cubeFile("a"), cubeFile("b"), cubeFile("a", { measure: "total" })];
  const at = (file: { path: string }) => `?path=${encodeURIComponent(file.path)}`;

  it("is answered as it was written, with the model's ETag, and named where there are several", async () => {
    const id = await addCube(team);
    await put(id, "a");
    const only = await pull(id);
    expect([only.status, only.headers.get("etag"), only.body]).toEqual([200, '"1"', a.content]);
    expect(only.headers.get("content-type")).toBe("application/yaml");
    await put(id, "a", "b");
    expect(await pull(id)).toMatchObject({ status: 422, body: { error: { flaws: [{ pointer: "/query/path" }] } } });
    expect((await pull(id, at(b))).body).toBe(b.content);
    expect((await get(id, at(b))).body.model.files).toEqual([b]);
    expect((await pull(id, "?path=c.yml")).status).toBe(404);
  });

  it("takes the place of that file alone, where the model is as it was read", async () => {
    const id = await addCube(team);
    await put(id, "a", "b");
    expect(await push(id, "", other.content)).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/query/path" }] } },
    });
    const tag = (await pull(id, at(a))).headers.get("etag")!;
    const pushed = await push(id, at(a), other.content, { "if-match": tag });
    expect([pushed.status, pushed.headers.get("etag")]).toEqual([200, '"2"']);
    expect((await get(id, "")).body.model.files).toEqual([other, b]);
    expect((await push(id, at(a), a.content, { "if-match": tag })).status).toBe(412);

    const both = { files: [a, b] };
    const asked = await compiler.ask("PUT", modelPath(id, at(a)), team.admin.key, both);
    expect([asked.status, asked.body.error.flaws[0].pointer]).toEqual([422, "/files"]);
    expect((await push(id, "?path=../a.yml", a.content)).status).toBe(422);
    expect((await get(id, "")).body.model.files).toEqual([other, b]);
  });

  it("makes a model of one file where there is none", async () => {
    const id = await addCube(team);
    expect((await push(id, at(a), a.content, { "if-match": '"0"' })).body.model.version).toBe(1);
    expect((await pull(id)).body).toBe(a.content);
  });
});

describe("restoreSemanticModel", () => {
  it("brings the files back as a new version, compiled again, and says which it was", async () => {
    const id = await addCube(team);
    await put(id, "a", "b");
    await put(id, "c");
    const compiled = compiler.compiled;
    const { status, body } = await restore(id, { version: 1, message: "Back", expected_version: 2 });
    expect(status).toBe(200);
    expect(body.model).toMatchObject({ version: 3, restored_from: 1, message: "Back", created_by: team.admin.id });
    expect(compiler.compiled).toBe(compiled + 1);
    expect((await get(id, "")).body.model.files).toEqual([cubeFile("a"), cubeFile("b")]);
    expect((await storedOf(id)).definitions).toEqual([
      { version: 3, name: "a" },
      { version: 3, name: "b" },
    ]);
    const event = await env.DB.prepare(
      "select before, after from audit_events where subject_id = ? and action = 'semantic_model.restore'",
    )
      .bind(id)
      .first<{ before: string; after: string }>();
    expect(JSON.parse(event!.before)).toMatchObject({ version: 2, file_count: 1 });
    expect(JSON.parse(event!.after)).toMatchObject({ version: 3, file_count: 2, restored_from: 1 });
  });

  it("changes nothing where the model is so already, and nothing by what is not there or not expected", async () => {
    const id = await addCube(team);
    await put(id, "a");
    await put(id, "b");
    expect((await restore(id, { version: 2 })).body.model).toMatchObject({ version: 2, restored_from: null });
    expect((await restore(id, { version: 3 })).status).toBe(404);
    expect((await restore(id, { version: 1, expected_version: 1 })).status).toBe(409);
    const late = { key: team.admin.key, body: { version: 1 }, headers: { "if-match": '"1"' } };
    expect((await callWith(compiler.bindings, "POST", modelPath(id, "/restore"), late)).status).toBe(412);
    const strict = newCompiler(() => ({ flaws: [{ message: "no" }], meta: [] }));
    expect((await strict.ask("POST", modelPath(id, "/restore"), team.admin.key, { version: 1 })).status).toBe(422);
    expect((await storedOf(id)).versions).toHaveLength(2);
  });
});

describe("getSemanticModelDiff", () => {
  const view = { path: "v.yml", content: "views:\n  - name: v\n    cubes: [{join_path: a, includes: '*'}]\n" };
  const files = async (id: string, ...all: { path: string; content: string }[]) =>
    expect((await compiler.put(team, id, all)).status).toBe(200);

  it("shows files line by line, and members whatever file they are in", async () => {
    const id = await addCube(team);
    const a = cubeFile("a");
    await files(id, a, cubeFile("b"), cubeFile("gone"));
    const changed = a.content
      .replace("name: count, type: count", "name: count, type: count, title: Rows")
      .concat("      - {name: total, sql: id, type: sum}\n");
    await files(id, { path: "a.yml", content: changed }, cubeFile("b", { path: "moved/b.yml" }), view);
    const { status, body } = await get(id, "/versions/2/diff");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: 2,
      against: 1,
      truncated: false,
      members: [
        { member: "a.count", change: "changed" },
        { member: "a.total", change: "added" },
        { member: "gone", change: "removed" },
        { member: "gone.count", change: "removed" },
        { member: "gone.id", change: "removed" },
        { member: "v", change: "added" },
      ],
    });
    expect(body.files.map(({ path, change }: Record<string, string>) => [path, change])).toEqual([
      ["a.yml", "changed"],
      ["b.yml", "removed"],
      ["gone.yml", "removed"],
      ["moved/b.yml", "added"],
      ["v.yml", "added"],
    ]);
    expect(body.files[0].diff).toBe(`@@ -4,4 +4,5 @@
     dimensions:
       - {name: id, sql: id, type: number, primary_key: true}
     measures:
-      - {name: count, type: count}
+      - {name: count, type: count, title: Rows}
+      - {name: total, sql: id, type: sum}
`);
    expect((await get(id, "/versions/1/diff?against=2")).body.members).toContainEqual({
      member: "a.total",
      change: "removed",
    });
    expect((await get(id, "/versions/2/diff?against=2")).body).toMatchObject({ files: [], members: [] });
    expect((await get(id, "/versions/1/diff")).body.files).toHaveLength(3);
    expect((await get(id, "/versions/2/diff?against=0")).body.files).toHaveLength(3);
    for (const [path, expected] of [
      ["/versions/3/diff", 404],
      ["/versions/1/diff?against=9", 404],
      ["/versions/1/diff?against=x", 422],
      ["/versions/1/diff?agianst=1", 422],
    ] as const)
      expect((await get(id, path)).status).toBe(expected);
  });

  it("says no more than that a file changed where nearly all of it did", async () => {
    const id = await addCube(team);
    const lines = (word: string) => Array.from({ length: 5_000 }, (_, i) => `# ${word} ${i}\n`).join("");
    await files(id, { path: "a.yml", content: cubeFile("a").content + lines("old") });
    await files(id, { path: "a.yml", content: cubeFile("a").content + lines("new") });
    expect((await get(id, "/versions/2/diff")).body).toMatchObject({
      files: [{ path: "a.yml", change: "changed", diff: null }],
      members: [],
    });
  });

  it("shows the files of a version that is no longer taken, without members", async () => {
    const id = await addCube(team);
    await files(id, cubeFile("a"));
    await env.DB.prepare("update semantic_model_files set content = 'cubes: [' where integration_id = ?")
      .bind(id)
      .run();
    await files(id, cubeFile("b"));
    const { body } = await get(id, "/versions/2/diff");
    expect(body.members).toBeNull();
    expect(body.files).toHaveLength(2);
  });
});

describe("loadModel", () => {
  const load = async (id: string, teamId = team.id) => {
    const ctx = { db: openDb(env.DB), scope: { teamId } };
    return loadModel(ctx, { id, name: "Sales" }, await findNewest(ctx, id));
  };

  it("answers the newest version, and the same object as long as it is the newest", async () => {
    const id = await addCube(team);
    await expect(load(id)).rejects.toMatchObject({ code: "resource_not_found", message: expect.stringContaining(id) });
    await put(id, "a");
    const first = await load(id);
    expect(first).toMatchObject({
      version: 1,
      definitions: { cubes: [{ name: "a" }], views: [] },
      meta: [{ name: "a" }],
    });
    expect(await load(id)).toBe(first);
    await put(id, "b");
    expect(await load(id)).toMatchObject({ version: 2, definitions: { cubes: [{ name: "b" }] } });
    await expect(load(id, (await newTeam()).id)).rejects.toMatchObject({ code: "resource_not_found" });
  });

  it("keeps what it has read of other models only as far as there is room", async () => {
    const bytes = SEMANTIC_LIMITS.definitionBytesMax;
    const large = newCompiler(({ cubes }) => ({
      meta: cubes.map(({ name }) => ({
        name,
        measures: [],
        dimensions: [],
        segments: [],
        note: "x".repeat(bytes - 100),
      })),
    }));
    const ids = [];
    const names = Array.from({ length: 7 }, (_, i) => cubeFile(`c${i}`));
    for (let i = 0; i < SEMANTIC_LIMITS.modelCacheBytesMax / (names.length * bytes) + 1; i++) {
      const id = await addCube(team);
      await large.put(team, id, names);
      ids.push(id);
    }
    const [oldest, ...others] = ids as [string, ...string[]];
    const first = await load(oldest);
    let last = first;
    for (const id of others) last = await load(id);
    expect(await load(others.at(-1)!)).toBe(last);
    expect(await load(oldest)).not.toBe(first);
    expect(await load(oldest)).toEqual(first);
  });

  it("finds nothing of an integration that is deleted, though it has just been read", async () => {
    const id = await addCube(team);
    await put(id, "a");
    await load(id);
    expect((await call("DELETE", `/v1/api/integrations/${id}`, { key: team.admin.key })).status).toBe(204);
    await expect(load(id)).rejects.toMatchObject({ code: "resource_not_found" });
    expect(await storedOf(id)).toEqual({ versions: [], files: [], definitions: [] });
  });
});
