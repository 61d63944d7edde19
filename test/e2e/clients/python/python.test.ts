// The Python client as it is published: installed by pip, and run as processes against the whole platform.

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { root } from "../../../support/node/platform/platform.ts";
import { installWheels } from "../../../support/node/tools/python-wheels.ts";
import { call, rowsOf } from "../../client.ts";
import { startFaultyFront, type FaultyFront } from "./faulty-front.ts";

const run = promisify(execFile);
const RUN_MS = 110_000;
const WHEELS = [
  "httpx==0.28.1",
  "pyarrow==26.0.1",
  "pandas==3.1.1",
  "ipython==9.18.1",
  "mypy==2.4.1",
  "flit_core==4.2.0",
  "tzdata==2026.6",
];
const programs = join(import.meta.dirname, "programs");
const SCHEMA = `python_${crypto.randomUUID().slice(0, 8)}`;

let folder: string;
let wheels: string;
let front: FaultyFront;

beforeAll(async () => {
  wheels = await installWheels("python-client-1", WHEELS, "The tests of the Python client");
  folder = await mkdtemp(join(tmpdir(), "fjord-python-"));
  const install = ["install", "--quiet", "--no-input", "--disable-pip-version-check", "--root-user-action=ignore"];
  const own = ["--no-deps", "--no-index", "--no-build-isolation", "--target", join(folder, "installed")];
  const env = { ...process.env, PYTHONPATH: wheels };
  await run("python3", ["-m", "pip", ...install, ...own, join(root, "clients/python")], { env, timeout: RUN_MS });
  front = await startFaultyFront(inject("platform").baseUrl);
  await rowsOf(`CREATE SCHEMA LAKE.${SCHEMA}`);
});
afterAll(async () => {
  front.close();
  await rm(folder, { recursive: true, force: true });
});

async function runProgram<Findings>(name: string, more: Record<string, string> = {}): Promise<Findings> {
  const { baseUrl, key } = inject("platform");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    PYTHONPATH: `${join(folder, "installed")}:${wheels}`,
    PYTHONDONTWRITEBYTECODE: "1",
    ...{ FJORD_URL: baseUrl, FJORD_KEY: key, BASE: baseUrl, KEY: key, ...more },
  };
  const { stdout } = await run("python3", [join(programs, name)], { cwd: folder, env, timeout: RUN_MS });
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as Findings;
}

it("answers the values that the API has, and binds every kind of parameter as it is", async () => {
  expect(await runProgram("values.py")).toEqual({
    differing: [],
    columns: true,
    changed: [],
    lists: {
      texts: ["a", null, "b"],
      ints: ["1", String(2n ** 60n)],
      decimals: ["1.50", "2.00"],
      days: ["2026-01-01"],
      array: ["1", "2", "3"],
      series: ["1.5", "2.5"],
    },
    empty: [{ is_in: false }],
    typed: [{ days: 31 }],
    numpy: [{ n: 3 }],
    refused: [
      expect.stringMatching(/^ValueError: The parameter x: nan can't be bound/),
      expect.stringMatching(/^TypeError: The parameter x: a value of bytes/),
      expect.stringMatching(/^TypeError: The parameter x: a value of dict/),
      expect.stringMatching(/^ValueError: The parameter x: a list without a value/),
      expect.stringMatching(/^TypeError: The parameter x: a list has values of one type/),
      expect.stringMatching(/^ValueError: The parameter x: .* has nanoseconds/),
      expect.stringMatching(/^ValueError: The parameter x: NaT/),
    ],
    types: { small: "Int32", big: "Int64", truth: "boolean", exact: "object", double: "float64" },
    big: "9007199254740993",
  });
});

it("raises where a result is cut, sends no write again whose outcome is unknown, and keeps deadlines", async () => {
  const TABLE = `${SCHEMA}.faults`;
  expect(await runProgram("faults.py", { FRONT: front.url, TABLE })).toEqual({
    "another host": "The path '@127.0.0.1:9/v4/me' does not begin with a slash.",
    cut: ["IncompleteResult", "IncompleteResult", "IncompleteResult"],
    short: ["IncompleteResult", "IncompleteResult", "IncompleteResult"],
    "seen before the cut": 300_000,
    lost: [1, "WriteCommitted", 1],
    gateway: [1, "WriteCommitted", 1],
    "lost write": [1, "WriteCommitted", 1],
    "cut write": [1, "WriteCommitted", 1],
    "read again": "admin",
    busy: [{ one: 1 }],
    waited: true,
    nobody: "NoAnswer",
    deadline: ["TimedOut", true],
    cancelled: "Cancelled",
    "cancelled task": "cancelled",
    "async cut": "IncompleteResult",
    refused: ["QueryFailed", "NotFound", "NotSignedIn", "QueryFailed"],
    place: ["query_failed", 2, 2, false],
  });
  // The statement whose answer was a gateway's came once.
  expect(front.count("gateway")).toBe(1);
});

it("writes tables to the lake and the drive, also in parts, and leaves no file behind", async () => {
  expect(await runProgram("tables.py", { SCHEMA })).toEqual({
    written: 3,
    back: true,
    "there already": "QueryFailed",
    appended: 3,
    replaced: 2,
    frame: { key: [10, 20], n: [1, 2], t: ["x", null] },
    large: 2_500_000,
    sum: true,
    left: [],
    resumed: [[40_960_000], true],
    bytes: true,
    drive: 2,
    file: [{ n: 3 }],
    refused: ["TypeError", "ValueError", "ValueError", "ValueError"],
    async: [2, 2, [0, 1, 2]],
  });
});

it("shows a member what the roles show, by SQL and by the model, and reports what is refused", async () => {
  const TABLE = `${SCHEMA}.sales`;
  await rowsOf(
    `CREATE TABLE LAKE.${TABLE} AS SELECT range AS id, CASE WHEN range < 3 THEN 'north' ELSE 'south' END AS region FROM range(10)`,
  );
  const { key, cube } = await restrictedMember();
  expect(await runProgram("member.py", { KEY: key, TABLE, CUBE: cube })).toEqual({
    seen: [{ region: "north", n: 3 }],
    measured: [{ "sales.region": "north", "sales.count": 3 }],
    hidden: ["QueryFailed", "query_failed"],
    writes: ["NotAllowed", "forbidden_insufficient_permissions"],
    table: ["NotAllowed", "forbidden_insufficient_permissions"],
  });
});

/** Sees the north alone. */
async function restrictedMember(): Promise<{ key: string; cube: string }> {
  const ask = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await call<Body>(method, path, body ? { body } : {});
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  type Created = { data: { id: string } };
  const lakes = await ask<{ data: { id: string }[] }>("GET", "/v1/api/integrations?type=lake");
  const lake = lakes.data[0]!.id;
  const created = await ask<{ integration: { id: string } }>("POST", "/v1/api/integrations", {
    ...{ type: "cube", name: `Model ${SCHEMA}`, credentials: { integration_id: lake } },
  });
  const cube = created.integration.id;
  const content = `cubes:
  - name: sales
    sql_table: ${SCHEMA}.sales
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: region, sql: region, type: string}
    measures:
      - {name: count, type: count}
`;
  await ask("PUT", `/v1/api/integrations/${cube}/model`, { files: [{ path: "sales.yml", content }] });
  const mail = `bob@${SCHEMA.replace("_", "-")}.example`;
  const user = await ask<Created>("POST", "/v4/users", { name: "Bob", email: mail, role: "member" });
  const filters = [{ member: "region", operator: "equals", values: ["north"] }];
  const grants = [{ integration_id: lake, schema: SCHEMA, table: "sales", filters }];
  const role = await ask<Created>("POST", "/v4/data-access/roles", { name: `North of ${SCHEMA}`, grants });
  await ask("PUT", `/v4/data-access/roles/${role.data.id}/members/${user.data.id}`);
  const { data } = await ask<{ data: { key: string } }>("POST", `/v4/users/${user.data.id}/keys`, { name: "python" });
  return { key: data.key, cube };
}

it("runs the cells of a notebook, with parameters of the command line's form and variables", async () => {
  expect(await runProgram("notebook.py")).toEqual({
    frame: [{ country: "NO", n: 3, is_in: true }],
    shown: [{ one: 1 }],
    ": SELEC 1": ["UsageError", expect.stringContaining("syntax error")],
    "a b: SELECT 1": ["UsageError", expect.stringContaining("unrecognized arguments")],
    "--param x: SELECT 1": ["UsageError", expect.stringContaining("say name=text")],
    "-p x:=nothing: SELECT $x": ["UsageError", expect.stringContaining("neither JSON nor a variable")],
  });
});

it("has types that hold a program to it, and that hold within it", async () => {
  const env = { ...process.env, PYTHONPATH: wheels, MYPYPATH: join(folder, "installed") };
  const check = (args: string[]): Promise<string> =>
    run("python3", ["-m", "mypy", "--cache-dir", join(folder, "mypy"), ...args], { env, timeout: RUN_MS }).then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
  const config = join(root, "clients/python/pyproject.toml");
  expect(await check(["--config-file", config, join(root, "clients/python/src/fjord")])).toBe("");
  const wrong = await check(["--config-file", config, join(programs, "typed.py")]);
  expect(wrong.match(/error:/g)).toHaveLength(1);
  expect(wrong).toContain('"deadline" to "query" of "Client" has incompatible type "str"');
});
