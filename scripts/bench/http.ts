// Requests per second of an authenticated GET on the built bundle in bare workerd, beside a bare Hono route and Node.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { freePort } from "../../test/support/node/servers/server-process.ts";
import { serveD1 } from "./http/d1.ts";
import type { LoadOptions, LoadReport } from "./http/load.ts";
import { alternate, cpuMs, fixed, machineLoad, median, printTable, ratio, say } from "./measure.ts";
import { ROOT, runProgram, startServer, type Program } from "./program.ts";
import { buildBundle, serveBundle } from "./http/workerd.ts";

const ROUNDS = 5;
const CONNECTIONS = 32;
const AIM = 0.7;

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

type Round = LoadReport & { cpuUsPerRequest: number };

export async function benchHttp(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-http-"));
  const stops: (() => Promise<void> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const { fjord, bare, node, key } = await startContenders(folder, stops);
    const authorization = { Authorization: `Bearer ${key}` };
    const results = await alternate(ROUNDS, {
      fjord: () => measure(fjord, "/v4/me", authorization),
      bare: () => measure(bare, "/json", {}),
      node: () => measure(node, "/v4/me", authorization),
    });
    report(results);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Both Workers in bare workerd, ours on Node too, and the key of a bootstrapped operator. */
async function startContenders(folder: string, stops: (() => Promise<void> | void)[]) {
  const [ours, yardstick, database] = [join(folder, "fjord"), join(folder, "bare"), join(folder, "d1.sqlite")];
  const config = join(ROOT, "wrangler.toml");
  const bareConfig = join(folder, "bare.toml");
  await Promise.all([
    mkdir(ours),
    mkdir(yardstick),
    writeFile(bareConfig, await bareConfiguration(config)),
    migrate(database),
  ]);
  await Promise.all([buildBundle(config, ours), buildBundle(bareConfig, yardstick)]);

  const secret = () => randomBytes(32).toString("base64");
  const texts = {
    VAULT_KEYS: `bench:${secret()}`,
    TOKEN_SECRET: secret(),
    BOOTSTRAP_SECRET: secret(),
    S3_ACCESS_KEY_ID: "bench",
    S3_SECRET_ACCESS_KEY: "bench",
  };
  const d1 = await serveD1(database);
  stops.push(d1.stop);
  const start = async (starting: Promise<Program>) => {
    const program = await starting;
    stops.push(program.stop);
    return program;
  };
  const fjord = await start(serveBundle(config, ours, texts, d1.port));
  const bare = await start(serveBundle(bareConfig, yardstick, {}, d1.port));
  const port = await freePort();
  const node = await start(
    startServer(
      process.execPath,
      [here("http/node-server.ts"), join(ours, "index.js"), String(port), database, JSON.stringify(texts)],
      port,
    ),
  );
  return { fjord, bare, node, key: await bootstrap(fjord.port, texts.BOOTSTRAP_SECRET) };
}

/** The bare route runs on the same date and flags as ours. */
async function bareConfiguration(config: string): Promise<string> {
  const compatibility = (await readFile(config, "utf8")).match(/^compatibility_\w+ = .*$/gm) ?? [];
  return [`name = "bare"`, `main = ${JSON.stringify(here("http/bare-worker.ts"))}`, ...compatibility].join("\n");
}

async function migrate(file: string): Promise<void> {
  const folder = join(ROOT, "migrations");
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  for (const name of (await readdir(folder)).sort()) database.exec(await readFile(join(folder, name), "utf8"));
  database.close();
}

async function measure({ port, pid }: Program, path: string, headers: Record<string, string>): Promise<Round> {
  const options: LoadOptions = { port, path, headers, connections: CONNECTIONS, warmMs: 1_000, durationMs: 4_000 };
  const before = await cpuMs(pid);
  const report = JSON.parse(
    await runProgram(process.execPath, [here("http/load.ts"), JSON.stringify(options)]),
  ) as LoadReport;
  const after = await cpuMs(pid);
  return {
    ...report,
    cpuUsPerRequest:
      after === undefined || before === undefined ? Number.NaN : ((after - before) * 1_000) / report.served,
  };
}

function report(results: Record<"fjord" | "bare" | "node", Round[]>): void {
  const of = (name: keyof typeof results, field: keyof Round) => results[name].map((round) => round[field]);
  const row = (label: string, name: keyof typeof results) => [
    label,
    fixed(median(of(name, "requestsPerSecond")), 0),
    fixed(median(of(name, "p50Ms")), 2),
    fixed(median(of(name, "p99Ms")), 2),
    fixed(median(of(name, "cpuUsPerRequest")), 0),
    fixed(median(of(name, "answerBytes")), 0),
    `${fixed(ratio(of(name, "requestsPerSecond"), of("bare", "requestsPerSecond")), 2)}×`,
  ];
  printTable(
    `HTTP: keep-alive, ${CONNECTIONS} connections, medians of ${ROUNDS} alternating rounds of 4 s`,
    ["", "requests/s", "p50 ms", "p99 ms", "server CPU µs", "answer bytes", "of bare"],
    [
      row("Fjord GET /v4/me, bare workerd", "fjord"),
      row("bare Hono GET /json, bare workerd", "bare"),
      row("Fjord GET /v4/me, node:http", "node"),
    ],
  );
  const reached = ratio(of("fjord", "requestsPerSecond"), of("bare", "requestsPerSecond"));
  say(
    `Aim: at least ${AIM}× of the bare route. ${reached >= AIM ? "Reached." : "Missed."} Load of the machine ` +
      `${machineLoad()}; the generator took ${fixed(median(of("bare", "busy")) * 100, 0)} % of a core.`,
  );
}

/** The first operator's key, over the product's own API. */
async function bootstrap(port: number, secret: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v4/admin/bootstrap`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ team_name: "Bench", name: "Bench", email: "bench@example.com" }),
  });
  if (!response.ok) throw new Error(`The bootstrap answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: { api_key: { key: string } } }).data.api_key.key;
}
