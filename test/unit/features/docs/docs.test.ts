import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { DOC_LIMITS } from "../../../../src/features/docs/limits.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v4/docs";
const YAML = `# Kept as it is.
version: 1
schemaVersion: 2025-01
kind: pipeline
metadata:
  name: Scores
datasets:
  raw: {engine: sql, sql: "select 1 as n"}
  score:
    engine: python
    code: |
      result = raw_df
    inputs: [{ref: raw, as: raw_df}]
    timeoutMs: 60000
`;
const DEFINITION = {
  version: 1,
  kind: "pipeline",
  metadata: { name: "Plain" },
  datasets: { one: { engine: "python", code: "result = 1" } },
};

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

const post = (raw: string, type = "application/yaml", key = team.admin.key) =>
  call("POST", PATH, { key, raw, headers: { "content-type": type } });
const put = (id: string, raw: string, headers: Record<string, string> = {}) =>
  call("PUT", `${PATH}/${id}`, {
    key: team.admin.key,
    raw,
    headers: { "content-type": "application/yaml", ...headers },
  });
const get = (id: string, more = "") => call("GET", `${PATH}/${id}${more}`, { key: team.member.key });
const flaws = ({ body }: Answer) => body.error.flaws;

describe("createDoc", () => {
  it("takes YAML and JSON, and gives the text back to the character", async () => {
    const yaml = await post(YAML);
    expect(yaml.status).toBe(201);
    expect(yaml.body.data).toMatchObject({
      name: "Scores",
      kind: "pipeline",
      version: 1,
      archived_at: null,
      created_by: team.admin.id,
    });
    expect((await get(yaml.body.data.id)).body.data).toMatchObject({
      text: YAML,
      media_type: "application/yaml",
      definition: { datasets: { score: { timeoutMs: 60000 } } },
    });

    const text = JSON.stringify(DEFINITION, null, "\t");
    const json = await post(text, "application/json; charset=utf-8");
    expect((await get(json.body.data.id)).body.data).toMatchObject({
      text,
      media_type: "application/json",
      definition: DEFINITION,
    });
  });

  it("takes a dashboard with what it draws, and gives back what it read", async () => {
    const tile = {
      id: "a",
      x: 0,
      y: 0,
      w: 12,
      h: 4,
      type: "kpi",
      source: "one",
      viz: { type: "kpi", y: [{ field: "n" }] },
    };
    const drawn = { ...DEFINITION, kind: "dashboard", layout: { columns: 36, tiles: [tile] } };
    const { body } = await post(JSON.stringify(drawn), "application/json");
    expect((await get(body.data.id)).body.data.definition).toEqual(drawn);
    expect(body.data.warnings).toEqual([]);
  });

  it("still gives back a doc that was saved when nothing looked at what it draws", async () => {
    const { id } = (await post(YAML)).body.data;
    const old = {
      ...DEFINITION,
      layout: { tiles: [{ id: "a", x: 0, viz: { type: "kpi" } }] },
      automations: [{ cron: "x" }],
    };
    await env.DB.prepare("update doc_versions set text = ?1, media_type = 'application/json' where doc_id = ?2")
      .bind(JSON.stringify(old), id)
      .run();
    const { status, body } = await get(id);
    expect([status, body.data.definition]).toEqual([200, old]);
    expect(body.data.warnings[0]).toMatch(/^\/layout\/tiles\/0\/type/);
  });

  it.each([
    [
      "yaml",
      (value: object) =>
        `${Object.entries(value)
          .map(([key, each]) => `${key}: ${JSON.stringify(each)}`)
          .join("\n")}\n`,
      4,
    ],
    ["json", (value: object) => JSON.stringify(value, null, 1), 12],
  ])("keeps members that nothing knows, and names them in the answer's warnings: %s", async (type, write, line) => {
    const odd = {
      ...DEFINITION,
      "a/b": { c: [1] },
      metadata: { name: "Odd", owner: "me" },
      datasets: { one: { engine: "python", code: "result = 1", timoutMs: 5, inputs: [] } },
      layout: { columns: 36 },
    };
    const { status, body } = await post(write(odd), `application/${type}`);
    expect(status).toBe(201);
    const named = ["/metadata/owner", "/datasets/one/timoutMs", "/a~1b"];
    expect(body.data.warnings.map((warning: string) => warning.split(" ")[0])).toEqual(named);
    expect(body.data.warnings[1]).toContain(`(line ${line}, column`);
    expect((await get(body.data.id)).body.data.definition).toEqual(odd);
    expect(await put(body.data.id, YAML)).toMatchObject({ status: 200, body: { data: { warnings: [] } } });
  });

  it("names what no semantic query has in the warnings of a cube's dataset", async () => {
    const asked = { engine: "cube", cube: "orders", measures: ["count"], order: { count: "asc" }, timezone: "UTC" };
    const datasets = { one: { ...asked, mesures: ["total"] }, two: { ...asked, dependsOn: ["one"], limit: 5 } };
    const { body } = await post(JSON.stringify({ ...DEFINITION, datasets }), "application/json");
    expect(body.data.warnings.map((warning: string) => warning.split(" ")[0])).toEqual(["/datasets/one/mesures"]);
  });

  it("takes the tags of plain data", async () => {
    const { body } = await post(
      `${YAML}more: [!!str 1, !!int "2", ! 3, !!map {a: !!null ""}, !!seq [!!bool "true"], !!float 1.5]\n`,
    );
    expect((await get(body.data.id)).body.data.definition.more).toEqual(["1", 2, "3", { a: null }, [true], 1.5]);
  });

  it.each([
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["text/yaml", 201],
  ])("answers a body of type %s with %i", async (type, status) => expect((await post(YAML, type)).status).toBe(status));

  it("refuses a definition past a mebibyte", async () => {
    expect((await post(`${YAML}# ${"x".repeat(1024 * 1024)}`)).status).toBe(413);
  });
});

describe("a definition that is wrong is refused with where", () => {
  it("in the shape: pointer, line and column", async () => {
    const answer = await post(
      YAML.replace("timeoutMs: 60000", "timeoutMs: 900001").replace("name: Scores", "name: ''"),
    );
    expect(answer.status).toBe(422);
    expect(flaws(answer)).toEqual([
      expect.objectContaining({ pointer: "/metadata/name", line: 6, column: 3 }),
      expect.objectContaining({ pointer: "/datasets/score/timeoutMs", line: 14, column: 5 }),
    ]);
  });

  it("in JSON text too", async () => {
    const answer = await post(
      JSON.stringify({ ...DEFINITION, datasets: { one: { engine: "python", code: "x", timeoutMs: 0 } } }, null, 2),
      "application/json",
    );
    expect(flaws(answer)).toMatchObject([{ pointer: "/datasets/one/timeoutMs", line: 11, column: 7 }]);
  });

  it.each([
    ["YAML that is none", "a: [1", "application/yaml", 1],
    ["JSON that is none", '{\n  "a": 1,\n}', "application/json", 3],
    ["a member no object can have", '{"a":\n {"__proto__": 1}}', "application/json", 2],
    ["a member twice in YAML", "a: 1\nb: 2\na: 3", "application/yaml", 3],
    ["a member twice in JSON", '{"a": 1,\n "a": 2}', "application/json", 2],
    ["an alias without an anchor", "a: &x 1\nb: *x\nc: *y", "application/yaml", 3],
    ["an alias before its anchor", "a: 1\nb: *x\nc: &x 1", "application/yaml", 2],
  ])("%s", async (_, text, type, line) => {
    const answer = await post(text, type);
    expect(answer.status).toBe(422);
    expect(flaws(answer)[0]).toMatchObject({ pointer: "", line });
  });

  const HEAD = "version: 1\nkind: pipeline\nmetadata: {name: Odd}\n";
  const bomb =
    "a: &a [x,x,x,x,x,x,x,x,x]\n" +
    [..."bcdefghij"]
      .map((name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefghij"[index]}`).join()}]`)
      .join("\n");
  it.each([
    ["aliases that write out to a flood", bomb],
    ["an alias inside what it names", `${HEAD}more: &all [*all]\n`],
    ["a set, which JSON has not", `${HEAD}more: !!set {a, b}\n`],
    ["a number that is none", `${HEAD}more: .nan\n`],
    ["a million quotes", '"'.repeat(1_000_000)],
    ["ninety thousand members of a line each", Array.from({ length: 90_000 }, (_, i) => `a${i}: 1`).join("\n")],
    ["a million closing brackets", "]".repeat(1_000_000)],
    ["half a million bad escapes", `a: "${"\\q".repeat(500_000)}"`],
    ["half a million anchors", "&a ".repeat(300_000)],
    ["a hundred thousand documents", "--- a\n".repeat(150_000)],
    ["as many lines as bytes", `a: '${"\n".repeat(1_000_000)}'`],
    ["pairs in pairs without an end", `[${"a: ".repeat(10_000)}]`],
    ["lists in lists within the text's bound", `${HEAD}more: ${"[".repeat(700)}${"]".repeat(700)}\n`],
    ["a hundred thousand brackets", "[".repeat(100_000)],
    ["a list in a list in a list", `${"- ".repeat(20_000)}a`],
    ["keys in keys", Array.from({ length: 1_300 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ])("by a bound: %s", async (_, text) => expect((await post(text)).status).toBe(422));

  it.each([
    ["!!js/function", "a: 1\nb: !!js/function 'function () {}'", 2],
    ["!!python/object/apply:os.system", "a:\n  - !!python/object/apply:os.system [id]", 2],
    ["!local", "\n\na: !local b", 3],
    ["!<tag:yaml.org,2002:js/function>", "a: !<tag:yaml.org,2002:js/function> b", 1],
    ["%TAG ! tag:example.com,2000:", "%TAG ! tag:example.com,2000:\n---\na: 1", 1],
  ])("by a tag that is not of plain data, %s, which the answer names", async (tag, text, line) => {
    const answer = await post(text);
    expect(answer.status).toBe(422);
    expect(flaws(answer)).toMatchObject([{ message: expect.stringContaining(tag), line }]);
    expect(answer.body.message).toContain(tag);
  });

  it("by quoting no more of a text than can be read", async () => {
    const answer = await post(`a: ${">".repeat(1_000_000)}`);
    expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
  });

  it("by what is wrong with a dataset's key", async () => {
    expect(flaws(await withDatasets({ "a b": python({}) }))).toMatchObject([
      { pointer: "/datasets/a b", message: "A dataset's key has letters, digits, _ and -, at most 100." },
    ]);
  });

  const withDatasets = (datasets: object) => post(JSON.stringify({ ...DEFINITION, datasets }), "application/json");
  const python = (rest: object) => ({ engine: "python", code: "result = 1", ...rest });
  it.each([
    ["an unknown engine", { one: { engine: "ruby" } }, "/datasets/one/engine"],
    ["a dependency on nothing", { one: python({ dependsOn: ["two"] }) }, "/datasets/one/dependsOn/0"],
    ["an input from nothing", { one: python({ inputs: [{ ref: "two", as: "x" }] }) }, "/datasets/one/inputs/0/ref"],
    [
      "a name that is no Python name",
      { two: python({}), one: python({ inputs: [{ ref: "two", as: "2x" }] }) },
      "/datasets/one/inputs/0/as",
    ],
    [
      "a Python keyword",
      { two: python({}), one: python({ inputs: [{ ref: "two", as: "class" }] }) },
      "/datasets/one/inputs/0/as",
    ],
    [
      "the output's name",
      { two: python({}), one: python({ inputs: [{ ref: "two", as: "result" }] }) },
      "/datasets/one/inputs/0/as",
    ],
    [
      "two inputs of one name",
      {
        two: python({}),
        one: python({
          inputs: [
            { ref: "two", as: "x" },
            { ref: "two", as: "x" },
          ],
        }),
      },
      "/datasets/one/inputs/1/as",
    ],
    ["a requirement without a pin", { one: python({ requirements: ["numpy>=1"] }) }, "/datasets/one/requirements/0"],
    ["a key with a space", { "a b": python({}) }, "/datasets/a b"],
  ])("%s", async (_, datasets, pointer) => {
    const answer = await withDatasets(datasets);
    expect(answer.status).toBe(422);
    expect(flaws(answer).map((flaw: { pointer: string }) => flaw.pointer)).toContain(pointer);
  });

  it("more datasets than a doc may have, as one flaw that the message names", async () => {
    const answer = await withDatasets(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, {}])));
    expect(flaws(answer)).toMatchObject([{ pointer: "/datasets", line: 1 }]);
    expect(answer.body.message).toBe("/datasets: A doc has at most 200 datasets.");
  });

  it("a circle, by the datasets on it", async () => {
    const answer = await withDatasets({
      free: python({}),
      a: python({ dependsOn: ["b"] }),
      b: python({ inputs: [{ ref: "c", as: "c" }] }),
      c: python({ dependsOn: ["a"] }),
    });
    expect(flaws(answer)).toMatchObject([
      { pointer: "/datasets/a", message: "These datasets wait for each other: a → b → c → a." },
    ]);
    expect(flaws(await withDatasets({ a: python({ dependsOn: ["a"] }) }))).toMatchObject([
      { message: expect.stringContaining("a → a") },
    ]);
  });
});

describe("updateDoc", () => {
  it("makes a new version, keeps the old ones, and takes the same text as no change", async () => {
    const { id } = (await post(YAML)).body.data;
    const next = YAML.replace("Scores", "Points");
    expect(await put(id, next)).toMatchObject({ status: 200, body: { data: { version: 2, name: "Points" } } });
    expect((await put(id, next)).body.data.version).toBe(2);
    expect((await get(id, "/versions")).body.data).toMatchObject({
      total: 2,
      items: [{ version: 2 }, { version: 1, created_by: team.admin.id, created_by_name: "Ada" }],
    });
    expect((await get(id, "/versions/1")).body.data.text).toBe(YAML);
    for (const version of ["3", "0", "x"]) expect((await get(id, `/versions/${version}`)).status).toBe(404);
  });

  it("refuses to change what another has changed since", async () => {
    const { body, headers } = await post(YAML);
    const { id } = body.data;
    expect(headers.get("etag")).toBe('"1"');
    expect((await put(id, `${YAML}# 2\n`, { "if-match": '"1"' })).headers.get("etag")).toBe('"2"');
    expect(await put(id, `${YAML}# 3\n`, { "if-match": '"1"' })).toMatchObject({
      status: 412,
      body: { error: { code: "precondition_failed" } },
    });
    const twins = await Promise.all([
      put(id, `${YAML}# a\n`, { "if-match": '"2"' }),
      put(id, `${YAML}# b\n`, { "if-match": '"2"' }),
    ]);
    expect(twins.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([409, 412])]);
    expect((await get(id, "/versions")).body.data.total).toBe(3);
  });
});

describe("a doc as its text", () => {
  const pull = (id: string, accept: string) =>
    call("GET", `${PATH}/${id}`, { key: team.member.key, headers: { accept } });

  it("is answered as it was written, with its ETag, to who takes YAML more gladly than JSON", async () => {
    const { id } = (await post(YAML)).body.data;
    for (const accept of ["application/yaml", "text/yaml", "application/json;q=0.5, application/yaml"]) {
      const { status, headers, body } = await pull(id, accept);
      expect([status, headers.get("etag"), body]).toEqual([200, '"1"', YAML]);
      expect(headers.get("content-type")).toContain("yaml");
    }
    for (const accept of ["*/*", "application/json", "text/html", "application/yaml;q=0"])
      expect((await pull(id, accept)).body.data.text).toBe(YAML);
    expect(await call("GET", `${PATH}/${id}`, { headers: { accept: "application/yaml" } })).toMatchObject({
      status: 401,
      body: { error: { code: "auth_invalid_token" } },
    });
  });

  it("goes back as it came without a change, and changed as the next version", async () => {
    const { id } = (await post(YAML)).body.data;
    const { body: text, headers } = await pull(id, "application/yaml");
    const tag = headers.get("etag")!;
    expect((await put(id, text, { "if-match": tag })).headers.get("etag")).toBe('"1"');
    expect((await put(id, `${text}# mine\n`, { "if-match": tag })).headers.get("etag")).toBe('"2"');
    expect((await put(id, `${text}# late\n`, { "if-match": tag })).status).toBe(412);
    expect((await pull(id, "application/yaml")).body).toBe(`${YAML}# mine\n`);
  });
});

describe("all of a team's definitions", () => {
  it("have a bound together, versions included", async () => {
    const full = await newTeam();
    const create = () =>
      call("POST", PATH, { key: full.admin.key, raw: YAML, headers: { "content-type": "application/yaml" } });
    const { id } = (await create()).body.data;
    const fill = env.DB.prepare(
      "insert into doc_versions select ?1 || value, ?1, ?2, value, hex(zeroblob(950000)), 'application/yaml', '', '', null from json_each(?3)",
    );
    await fill
      .bind(
        full.id,
        id,
        JSON.stringify(Array.from({ length: Math.ceil(DOC_LIMITS.bytesPerTeamMax / 1_900_000) }, (_, n) => n + 2)),
      )
      .run();
    const change = call("PUT", `${PATH}/${id}`, {
      key: full.admin.key,
      raw: `${YAML}# 2\n`,
      headers: { "content-type": "application/yaml" },
    });
    for (const refused of [await create(), await change])
      expect(refused).toMatchObject({ status: 426, body: { error: { code: "business_quota_exceeded" } } });
  });
});

describe("deleteDoc", () => {
  it("archives: hidden from the list, readable, unchangeable, and restored as it was", async () => {
    const { id } = (await post(YAML.replace("Scores", "Gone"))).body.data;
    const listed = async (query: string) =>
      (await call("GET", `${PATH}?name=gone${query}`, { key: team.member.key })).body.data.total;
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await call("DELETE", `${PATH}/${id}`, { key: team.admin.key })).status).toBe(204);
    expect([await listed(""), await listed("&archived=true"), await listed("&archived=all&kind=pipeline")]).toEqual([
      0, 1, 1,
    ]);
    expect((await get(id)).body.data.archived_at).not.toBeNull();
    expect((await put(id, YAML)).status).toBe(409);
    expect((await call("POST", `${PATH}/${id}/restore`, { key: team.admin.key })).body.data).toMatchObject({
      version: 1,
      archived_at: null,
    });
    expect(await listed("")).toBe(1);
    const actions = (
      await env.DB.prepare("select action from audit_events where subject_id = ? order by id").bind(id).all()
    ).results.map(({ action }) => action);
    expect(actions).toEqual(["doc.create", "doc.delete", "doc.restore"]);
  });
});

const id = crypto.randomUUID();
const RAW = { raw: YAML, headers: { "content-type": "application/yaml" } };
refusesStrangers("createDoc", (key) => call("POST", PATH, { key, ...RAW }), { right: "docs:write" });
refusesStrangers("listDocs", (key) => call("GET", PATH, { key }), { right: "docs:read" });
refusesStrangers("updateDoc", (key) => call("PUT", `${PATH}/${id}`, { key, ...RAW }), { right: "docs:write" });
refusesStrangers("deleteDoc", (key) => call("DELETE", `${PATH}/${id}`, { key }), { right: "docs:write" });
refusesStrangers("restoreDoc", (key) => call("POST", `${PATH}/${id}/restore`, { key }), { right: "docs:write" });
