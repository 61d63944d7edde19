// The TypeScript client in each runtime that it is for besides Workers: one program, whose answers are the same.

import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { root } from "../../support/node/platform/platform.ts";
import { fetchRuntimes, type Runtimes } from "../../support/node/tools/js-runtimes.ts";

const run = promisify(execFile);
const RUN_MS = 90_000;

/** `name` is a word that no other runtime uses. */
const PROGRAM = `
import { Fjord, FjordProblem } from "./dist/client.js";
import { recordBatches } from "./dist/arrow.js";

export async function use(baseUrl, apiKey, name) {
  const fjord = new Fjord({ baseUrl, apiKey });
  const { data: me } = await fjord.api.GET("/v4/me");
  const { data } = await fjord.query({ sql: "SELECT $n + 1 AS next", parameters: { n: 1 } });
  const sql = "FROM LAKE.sample.order_items LIMIT 150000";
  let [lines, cells] = [0, 0];
  for await (const _ of fjord.rows(sql)) lines++;
  for await (const batch of recordBatches(await fjord.stream(sql, "arrow"))) cells += batch.numRows;
  const problem = await fjord.query("SELECT 1,\\n nothing").catch((error) => error);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 1_000);
  const endless = "SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b";
  const requestId = crypto.randomUUID();
  const ended = await fjord.query(endless, { requestId, signal: stop.signal }).catch((error) => error.name);
  await fjord.cancel(requestId).catch(() => undefined);
  const path = \`runtimes/\${name}.bin\`;
  await fjord.upload(path, new Blob([new Uint8Array(17_000_000).fill(7)]));
  const rest = await fjord.download(path, { fromByte: 16_999_998 });
  return {
    role: me.data.role,
    next: data[0].next,
    lines,
    cells,
    failed: [problem instanceof FjordProblem, problem.code, problem.details.line],
    ended,
    tail: [...new Uint8Array(await rest.arrayBuffer())],
  };
}
`;
const ENTRY = `
import process from "node:process";
import { use } from "./program.js";
const [baseUrl, apiKey, name] = process.argv.slice(-3);
console.log(JSON.stringify(await use(baseUrl, apiKey, name)));
process.exit(0);
`;
const EXPECTED = {
  role: "admin",
  next: 2,
  lines: 150_000,
  cells: 150_000,
  failed: [true, "query_failed", 2],
  ended: "AbortError",
  tail: [7, 7],
};

const { baseUrl, key } = inject("platform");
let folder: string;
let runtimes: Runtimes;
beforeAll(async () => {
  runtimes = await fetchRuntimes();
  folder = await mkdtemp(join(tmpdir(), "fjord-runtimes-"));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const project = join(root, "clients/typescript/tsconfig.build.json");
  await Promise.all([
    run(process.execPath, [compiler, "-p", project, "--outDir", join(folder, "dist")], { timeout: RUN_MS }),
    copyFile(join(root, "clients/typescript/schema.d.ts"), join(folder, "schema.d.ts")),
    symlink(join(root, "node_modules"), join(folder, "node_modules")),
    writeFile(join(folder, "package.json"), '{"type": "module"}'),
    writeFile(join(folder, "program.js"), PROGRAM),
    writeFile(join(folder, "entry.js"), ENTRY),
  ]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it.each<[name: keyof Runtimes | "node", args: string[]]>([
  ["node", []],
  ["bun", ["run"]],
  ["deno", ["run", "--allow-all", "--no-lock", "--node-modules-dir=manual"]],
])("asks, streams, fails, cancels, uploads and downloads in %s", async (name, args) => {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
  const program = name === "node" ? process.execPath : runtimes[name];
  const words = [...args, "entry.js", baseUrl, key, name];
  const { stdout } = await run(program, words, { cwd: folder, env, timeout: RUN_MS });
  expect(JSON.parse(stdout)).toEqual(EXPECTED);
});

it("does the same in a browser, from a page of another origin", async () => {
  const bundle = join(folder, "bundle.js");
  await build({ entryPoints: [join(folder, "program.js")], outfile: bundle, bundle: true, format: "esm" });
  const script = await readFile(bundle);
  const server: Server = createServer((request, response) => {
    const isScript = request.url === "/bundle.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : "<!doctype html><title>A page</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const work = `import("/bundle.js").then(({ use }) => use(${JSON.stringify(baseUrl)}, ${JSON.stringify(key)}, "chromium"))`;
    expect(await page.evaluate(work)).toEqual(EXPECTED);
  } finally {
    await browser.close();
    server.close();
  }
});
