// The files of semantic models and their versions: all of a change is stored, or nothing of it.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { SEMANTIC_LIMITS } from "../../../../src/features/semantic/limits.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import {
  addCube,
  cubeFile,
  modelPath,
  newCompiler,
  storedOf,
  type File,
} from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const nobodys = crypto.randomUUID();
const right = { right: "integrations:write" } as const;
const asked =
  (method: string, more = "", body?: unknown) =>
  (key: string | undefined) =>
    call(method, modelPath(nobodys, more), { key, body });
refusesStrangers("setSemanticModel", asked("PUT", "", { files: [cubeFile("a")] }), right);
refusesStrangers("getSemanticModel", asked("GET"), right);
refusesStrangers("listSemanticModelVersions", asked("GET", "/versions"), right);
refusesStrangers("getSemanticModelVersion", asked("GET", "/versions/1"), right);
refusesStrangers("getSemanticModelDiff", asked("GET", "/versions/1/diff"), right);
refusesStrangers("restoreSemanticModel", asked("POST", "/restore", { version: 1 }), right);
refusesStrangers("checkSemanticModel", asked("POST", "/check", { files: [cubeFile("a")] }), right);
refusesStrangers("draftSemanticModel", asked("POST", "/draft", {}), right);

let team: TestTeam;
const compiler = newCompiler();
beforeAll(async () => void (team = await newTeam()));

const put = (id: string, files: File[], more: object = {}) => compiler.put(team, id, files, more);
const get = (id: string, more = "") => call("GET", modelPath(id, more), { key: team.admin.key });
const auditOf = async (id: string) =>
  (
    await env.DB.prepare(
      `select action, before, after from audit_events where subject_id = ? and action like 'semantic_model.%' order by id`,
    )
      .bind(id)
      .all<{ action: string; before: string | null; after: string }>()
  ).results.map(({ action, before, after }) => ({
    action,
    before: JSON.parse(before ?? "null"),
    after: JSON.parse(after),
  }));

describe("setSemanticModel", () => {
  it("stores the files to the character, by path, and answers them again", async () => {
    const id = await addCube(team);
    const odd = { path: "b/odd.yaml", content: "# Kept: é 🙂 \t\r\n\n" };
    const { status, body } = await put(id, [odd, cubeFile("orders", { path: "a.yml" })], { message: "First" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      warnings: ["orders: The lake Lake has no table sample.orders now."],
      model: { version: 1, message: "First", restored_from: null, created_by: team.admin.id, file_count: 2 },
    });
    const files = [cubeFile("orders", { path: "a.yml" }), odd];
    const bytes = files.reduce((sum, { content }) => sum + new TextEncoder().encode(content).length, 0);
    expect((await get(id)).body.model).toEqual({ ...body.model, bytes, files });
    expect(await auditOf(id)).toEqual([
      {
        action: "semantic_model.set",
        before: null,
        after: { version: 1, digest: body.model.digest, file_count: 2, bytes },
      },
    ]);
    expect((await storedOf(id)).definitions).toEqual([{ version: 1, name: "orders" }]);
  });

  it("takes the same files again, in any order, as no change", async () => {
    const id = await addCube(team);
    const files = [cubeFile("a"), cubeFile("b")];
    const first = await put(id, files);
    const compiled = compiler.compiled;
    const again = await put(id, files.toReversed(), { message: "Again", expected_version: 0 });
    expect(again.body.model).toEqual(first.body.model);
    expect(compiler.compiled).toBe(compiled);
    expect(await auditOf(id)).toHaveLength(1);
    expect((await put(id, [...files, cubeFile("c")], { expected_version: 1 })).body.model).toMatchObject({
      version: 2,
    });
    expect((await storedOf(id)).definitions.map(({ version }) => version)).toEqual([2, 2, 2]);
  });

  it("changes only what its sender has seen, where that is said", async () => {
    const id = await addCube(team);
    expect((await put(id, [cubeFile("a")], { expected_version: 1 })).status).toBe(409);
    expect((await put(id, [cubeFile("a")], { expected_version: 0 })).status).toBe(200);
    const compiled = compiler.compiled;
    for (const expected_version of [0, 2])
      expect(await put(id, [cubeFile("b")], { expected_version })).toMatchObject({
        status: 409,
        body: { error: { code: "resource_conflict" }, message: expect.stringContaining("version 1 now") },
      });
    expect(compiler.compiled).toBe(compiled);
    expect((await storedOf(id)).definitions).toEqual([{ version: 1, name: "a" }]);
  });

  it("stores nothing of files that are wrong, and names each flaw by file, line and member", async () => {
    const id = await addCube(team);
    await put(id, [cubeFile("a")]);
    const before = await storedOf(id);
    const wrong = cubeFile("b", { path: "sub/b.yml" }).content.replace("type: count", "type: counts");
    const { status, body } = await put(id, [cubeFile("a"), { path: "sub/b.yml", content: wrong }]);
    expect(status).toBe(422);
    expect(body.error.flaws).toEqual([
      {
        pointer: "/files/1/content",
        file: "sub/b.yml",
        line: 7,
        column: expect.any(Number),
        member: "b.count",
        message: expect.any(String),
      },
    ]);
    expect(body.message).toContain("sub/b.yml:7");
    expect(await storedOf(id)).toEqual(before);
  });

  it("stores nothing of what does not compile, or where no engine is to be had", async () => {
    const id = await addCube(team);
    const strict = newCompiler(() => ({ flaws: [{ member: "a.count", message: "a.count is wrong" }], meta: [] }));
    const refused = await strict.put(team, id, [cubeFile("b"), cubeFile("a")]);
    expect(refused.status).toBe(422);
    const place = { pointer: "/files/1/content", file: "a.yml", line: 7, column: expect.any(Number) };
    expect(refused.body.error.flaws).toEqual([{ ...place, member: "a.count", message: "a.count is wrong" }]);
    const away = Object.assign(newCompiler(), { status: 503 });
    expect((await away.put(team, id, [cubeFile("a")])).status).toBe(503);
    expect(await storedOf(id)).toEqual({ versions: [], files: [], definitions: [] });
    expect(await auditOf(id)).toEqual([]);
    expect((await get(id)).status).toBe(404);
  });

  it.each([
    ["no files", []],
    ["a path twice", [cubeFile("a"), cubeFile("a")]],
    ["a path that leads out", [{ path: "../a.yml", content: "" }]],
    ["a path from the root", [{ path: "/a.yml", content: "" }]],
    ["a path with an empty part", [{ path: "a//b.yml", content: "" }]],
    ["a path too long", [{ path: `${"a".repeat(252)}.yml`, content: "" }]],
    ["a file that is code", [{ path: "a.js", content: "cube('a', {})" }]],
    ["half a surrogate pair", [{ path: "a.yml", content: "# \uD83D" }]],
    ["a NUL character", [{ path: "a.yml", content: "# \0" }]],
    ["another field", [{ ...cubeFile("a"), mode: 1 }]],
  ])("refuses %s", async (_, files) => {
    const id = await addCube(team);
    expect((await put(id, files)).status).toBe(422);
    expect((await storedOf(id)).versions).toEqual([]);
  });

  it("is no operation of an integration of another kind, nor of another team's", async () => {
    const foreign = await addCube(await newTeam());
    const lake = await env.DB.prepare("select id from integrations where team_id = ? and type = 'lake'")
      .bind(team.id)
      .first<string>("id");
    for (const id of [lake!, foreign, crypto.randomUUID(), "x"]) {
      expect((await put(id, [cubeFile("a")])).status).toBe(404);
      expect((await get(id)).status).toBe(404);
    }
    expect((await storedOf(foreign)).versions).toEqual([]);
  });
});

describe("setSemanticModel at once", () => {
  /** Both have read what there was, and neither has written, until they are let go. */
  async function together(...requests: (() => Promise<{ status: number }>)[]): Promise<number[]> {
    compiler.hold();
    const answers = requests.map((request) => request());
    await vi.waitFor(() => expect(compiler.compiling).toBe(requests.length), { timeout: 10_000 });
    compiler.release();
    return (await Promise.all(answers)).map(({ status }) => status);
  }

  it("stores one of two that differ, whole, and tells the other", async () => {
    for (const first of [0, 1]) {
      const id = await addCube(team);
      if (first > 0) await put(id, [cubeFile("before")]);
      const files = (word: string) => [cubeFile("shared", { measure: word }), cubeFile(word)];
      const statuses = await together(
        () => put(id, files("one")),
        () => put(id, files("two")),
      );
      expect(statuses.toSorted()).toEqual([200, 409]);
      const word = statuses[0] === 200 ? "one" : "two";
      const { model } = (await get(id)).body;
      expect(model).toMatchObject({
        version: first + 1,
        files: files(word).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      });
      expect((await storedOf(id)).definitions).toEqual(
        ["shared", word].sort().map((name) => ({ version: first + 1, name })),
      );
      expect(await auditOf(id)).toHaveLength(first + 1);
    }
  });

  it("stores the same files once", async () => {
    const id = await addCube(team);
    const statuses = await together(
      () => put(id, [cubeFile("a")]),
      () => put(id, [cubeFile("a")]),
    );
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(statuses).toContain(200);
    expect((await storedOf(id)).versions).toEqual([{ version: 1 }]);
    expect(await auditOf(id)).toHaveLength(1);
  });

  it("leaves nothing of a model whose integration is deleted meanwhile", async () => {
    const id = await addCube(team);
    await put(id, [cubeFile("a")]);
    compiler.hold();
    const answer = put(id, [cubeFile("b")]);
    await vi.waitFor(() => expect(compiler.compiling).toBe(1), { timeout: 10_000 });
    expect((await call("DELETE", `/v1/api/integrations/${id}`, { key: team.admin.key })).status).toBe(204);
    compiler.release();
    expect((await answer).status).toBe(404);
    expect(await storedOf(id)).toEqual({ versions: [], files: [], definitions: [] });
    expect(await auditOf(id)).toHaveLength(1);
  });
});

describe("a semantic model of the largest size", () => {
  const KIB = 1024;
  const padded = (file: File, bytes: number): File => ({
    ...file,
    content: file.content + `#${"é\n".repeat(bytes)}`.slice(0, 0) + "# ".padEnd(bytes - file.content.length, "x"),
  });

  it("is stored and read again: as many files, as large a file, as many bytes as there may be", async () => {
    const id = await addCube(team);
    const files = Array.from({ length: SEMANTIC_LIMITS.filesMax - 1 }, (_, i) => cubeFile(`cube_${i}`));
    files.push(padded(cubeFile("large"), SEMANTIC_LIMITS.fileBytesMax));
    const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
    for (let left = SEMANTIC_LIMITS.modelBytesMax - bytes, i = 0; left > 0; i++) {
      const more = Math.min(left, 100 * KIB);
      files[i] = padded(files[i]!, files[i]!.content.length + more);
      left -= more;
    }
    const { status, body } = await put(id, files);
    expect(status).toBe(200);
    expect(body.model).toMatchObject({ file_count: SEMANTIC_LIMITS.filesMax, bytes: SEMANTIC_LIMITS.modelBytesMax });
    expect((await get(id)).body.model.files).toEqual(files.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
    expect((await storedOf(id)).definitions).toHaveLength(SEMANTIC_LIMITS.filesMax);

    const beyond = files.with(0, { ...files[0]!, content: `${files[0]!.content}x` });
    expect((await put(id, beyond)).body.error.flaws).toEqual([
      { pointer: "/files", message: expect.stringContaining("2 MiB") },
    ]);
    const large = padded(cubeFile("large"), SEMANTIC_LIMITS.fileBytesMax - 1);
    expect((await put(id, [{ ...large, content: `${large.content}é` }])).body.error.flaws).toEqual([
      { pointer: "/files/0/content", file: "large.yml", message: expect.stringContaining("512 KiB") },
    ]);
    expect((await put(id, [...files, cubeFile("more")])).body.error.flaws[0].pointer).toBe("/files");
    expect((await storedOf(id)).versions).toEqual([{ version: 1 }]);
  });

  it("has as many cubes, and as much meta, as there may be", async () => {
    const id = await addCube(team);
    const cubes = Array.from({ length: SEMANTIC_LIMITS.definitionsMax }, (_, i) => `  - {name: c${i}, sql_table: t}\n`);
    const files = [{ path: "all.yml", content: `cubes:\n${cubes.join("")}` }];
    /** Quotes are written with two characters in each JSON around. */
    const metaOf = (bytes: number, count: number) => (model: { cubes: { name: string }[] }) => ({
      meta: model.cubes.map(({ name }, i) => {
        const entry = { name, measures: [], dimensions: [], segments: [], note: "" };
        const room = i < count ? bytes - JSON.stringify(entry).length : 0;
        return { ...entry, note: "é".repeat(room / 2) + (room % 2 === 1 ? "x" : "") };
      }),
    });
    const { definitionBytesMax: eachMax, definitionsBytesMax: allMax } = SEMANTIC_LIMITS;
    const count = Math.floor(allMax / eachMax) - 1;
    const large = newCompiler(metaOf(eachMax, count));
    expect((await large.put(team, id, files)).status).toBe(200);
    const row = await env.DB.prepare(
      "select max(octet_length(meta)) as bytes, count(*) as rows from semantic_definitions where integration_id = ?",
    )
      .bind(id)
      .first();
    expect(row).toEqual({ bytes: eachMax, rows: SEMANTIC_LIMITS.definitionsMax });

    const other = [{ path: "all.yml", content: `${files[0]!.content}# Changed.\n` }];
    for (const [tooLarge, flaw] of [
      [newCompiler(metaOf(eachMax + 1, 1)), { member: "c0", message: expect.stringContaining("768 KiB") }],
      [newCompiler(metaOf(eachMax, count + 2)), { message: expect.stringContaining("6 MiB") }],
    ] as const)
      expect(await tooLarge.put(team, id, other)).toMatchObject({ status: 422, body: { error: { flaws: [flaw] } } });
    const more = [{ path: "all.yml", content: `${files[0]!.content}  - {name: more, sql_table: t}\n` }];
    expect((await large.put(team, id, more)).status).toBe(422);
    expect((await storedOf(id)).versions).toEqual([{ version: 1 }]);
  });
});
