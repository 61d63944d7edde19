// The client as it is published: built, compiled against, and run by Node without the repository's sources.

import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { root } from "../../support/node/platform/platform.ts";

const run = promisify(execFile);
const RUN_MS = 60_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-client-"));
  await Promise.all([
    compile(["-p", join(root, "clients/typescript/tsconfig.build.json"), "--outDir", join(folder, "dist")]),
    copyFile(join(root, "clients/typescript/schema.d.ts"), join(folder, "schema.d.ts")),
    symlink(join(root, "node_modules"), join(folder, "node_modules")),
    writeFile(join(folder, "package.json"), '{"type": "module"}'),
  ]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Answers what the compiler found wrong. */
const compile = (args: string[]): Promise<string> =>
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...args], {
    cwd: folder,
    timeout: RUN_MS,
  }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );

const program = (path: string) => `
import { Fjord } from "./dist/client.js";
import { recordBatches } from "./dist/arrow.js";
declare const gc: () => void;
declare const process: { env: Record<string, string>; stdout: { write(text: string): void } };

const fjord = new Fjord({ baseUrl: process.env["BASE"]!, apiKey: process.env["KEY"]! });
const { data: me } = await fjord.api.GET("${path}");
const { data } = await fjord.query<{ next: number }>({ sql: "SELECT $n + 1 AS next", parameters: { n: 1 } });
const sql = "FROM LAKE.sample.order_items LIMIT 150000";
let [lines, cells] = [0, 0];
for await (const _ of fjord.rows(sql)) lines++;
for await (const batch of recordBatches(await fjord.stream(sql, "arrow"))) cells += batch.numRows;
// What only weak references hold is gone at once.
const collecting = setInterval(gc, 20);
const cancelled = new AbortController();
setTimeout(() => cancelled.abort(), 1_000);
const endless = "SELECT sum(a.range * b.range) FROM range(100000000) a, range(100000000) b";
const requestId = crypto.randomUUID();
const ended = await fjord.query(endless, { requestId, signal: cancelled.signal }).catch((error: Error) => error.name);
clearInterval(collecting);
await fjord.cancel(requestId).catch(() => undefined);
const file = new Blob([new Uint8Array(20_000_000).fill(7)]);
const sent: number[] = [];
await fjord.upload("client/large.bin", file, { onProgress: (bytes) => sent.push(bytes) });
const rest = await fjord.download("client/large.bin", { fromByte: 19_999_990 });
const tail = [...new Uint8Array(await rest.arrayBuffer())];
process.stdout.write(JSON.stringify({ role: me!.data.role, next: data[0]!.next, lines, cells, ended, sent, tail }));
`;

const OPTIONS = ["--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2024,dom,dom.asynciterable"];

it("has types that hold a program to the API", async () => {
  await writeFile(join(folder, "wrong.ts"), program("/v4/nobody"));
  const wrong = await compile([...OPTIONS, "--types", "", "--skipLibCheck", "--noEmit", "wrong.ts"]);
  expect(wrong).toMatch(/^wrong\.ts\(\d+,\d+\): error TS2554: Expected 2 arguments/);
});

it("asks, streams, cancels, uploads in parts and downloads from Node", async () => {
  await writeFile(join(folder, "use.ts"), program("/v4/me"));
  expect(await compile([...OPTIONS, "--types", "", "--skipLibCheck", "use.ts"])).toBe("");
  const { baseUrl, key } = inject("platform");
  const env = { ...process.env, BASE: baseUrl, KEY: key };
  const { stdout } = await run(process.execPath, ["--expose-gc", "use.js"], { cwd: folder, env, timeout: RUN_MS });
  expect(JSON.parse(stdout)).toEqual({
    role: "admin",
    next: 2,
    lines: 150_000,
    cells: 150_000,
    ended: "AbortError",
    sent: [16_777_216, 20_000_000],
    tail: Array.from({ length: 10 }, () => 7),
  });
});
