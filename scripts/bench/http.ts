// Requests per second of an authenticated GET on the built bundle in bare workerd, beside a bare Hono route, one with
// the same headers, and Node.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../test/support/node/servers/server-process.ts";
import { CONFIG, startDeployment, type Stops } from "./http/deployment.ts";
import type { LoadOptions, LoadReport } from "./http/load.ts";
import { alternate, cpuMs, fixed, machineLoad, median, printTable, ratio, say } from "./support/measure.ts";
import { runProgram, startServer, type Program } from "./support/program.ts";
import { buildBundle, serveBundle } from "./http/workerd.ts";

const ROUNDS = 5;
const CONNECTIONS = 32;
const AIM = 0.85;

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

type Round = LoadReport & { cpuUsPerRequest: number };

export async function benchHttp(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-http-"));
  const stops: Stops = [() => rm(folder, { recursive: true, force: true })];
  try {
    const { fjord, bare, node, key } = await startContenders(folder, stops);
    const authorization = { Authorization: `Bearer ${key}` };
    const results = await alternate(ROUNDS, {
      fjord: () => measure(fjord, "/v4/me", authorization),
      bare: () => measure(bare, "/json", {}),
      headers: () => measure(bare, "/json-with-headers", {}),
      node: () => measure(node, "/v4/me", authorization),
    });
    report(results);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Both Workers in bare workerd, ours on Node too, and the key of a bootstrapped operator. */
async function startContenders(folder: string, stops: Stops) {
  const ours = await startDeployment(folder, stops);
  const yardstick = join(folder, "bare");
  const bareConfig = join(folder, "bare.toml");
  await Promise.all([mkdir(yardstick), writeFile(bareConfig, await bareConfiguration(CONFIG))]);
  await buildBundle(bareConfig, yardstick);
  const texts = { HEADERS: JSON.stringify(await headersOf(ours.program, ours.key)) };
  const bare = await serveBundle(bareConfig, yardstick, texts, ours.d1Port);
  stops.push(bare.stop);
  const port = await freePort();
  const { bundle, database } = ours;
  const node = await startServer(
    process.execPath,
    [here("http/node-server.ts"), join(bundle, "index.js"), String(port), database, JSON.stringify(ours.texts)],
    port,
  );
  stops.push(node.stop);
  return { fjord: ours.program, bare, node, key: ours.key };
}

/** What our answer carries beside its document. */
async function headersOf({ port }: Program, key: string): Promise<[string, string][]> {
  const response = await fetch(`http://127.0.0.1:${port}/v4/me`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return [...response.headers].filter(([name]) => !["content-length", "content-type"].includes(name));
}

/** The bare route runs on the same date and flags as ours. */
export async function bareConfiguration(config: string): Promise<string> {
  const compatibility = (await readFile(config, "utf8")).match(/^compatibility_\w+ = .*$/gm) ?? [];
  return [`name = "bare"`, `main = ${JSON.stringify(here("http/bare-worker.ts"))}`, ...compatibility].join("\n");
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

function report(results: Record<"fjord" | "bare" | "headers" | "node", Round[]>): void {
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
      row("the same with Fjord's headers", "headers"),
      row("Fjord GET /v4/me, node:http", "node"),
    ],
  );
  const reached = ratio(of("fjord", "requestsPerSecond"), of("bare", "requestsPerSecond"));
  const ofHeaders = ratio(of("fjord", "requestsPerSecond"), of("headers", "requestsPerSecond"));
  say(
    `Aim: at least ${AIM}× of the bare route. ${reached >= AIM ? "Reached." : "Missed."} Of the route with its headers ` +
      `it is ${fixed(ofHeaders, 2)}×. Load of the machine ${machineLoad()}; the generator took ` +
      `${fixed(median(of("bare", "busy")) * 100, 0)} % of a core.`,
  );
}
