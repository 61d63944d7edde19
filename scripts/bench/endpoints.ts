// A published endpoint whose answer is kept beside GET /v4/me and a bare Hono route; one that runs beside the same SQL
// by POST /v1/query. The bare route stands twice: by `wrangler dev`, whose proxy and log the platform's figures have in
// them too, and in bare workerd.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../test/support/node/servers/server-process.ts";
import { bareConfiguration } from "./http.ts";
import { CONFIG, type Stops } from "./http/deployment.ts";
import type { LoadOptions, LoadReport } from "./http/load.ts";
import { buildBundle, serveBundle, serveByWrangler } from "./http/workerd.ts";
import { askJson } from "./support/ask.ts";
import { alternate, fixed, machineLoad, median, percentile, printTable, ratio, say, timed } from "./support/measure.ts";
import { startPlatform, type Platform } from "./support/platform.ts";
import { runProgram, type Program } from "./support/program.ts";

const ROUNDS = 3;
const ROUND_MS = 4_000;
const CONNECTIONS = 8;
const STATEMENTS = 50;

const SQL =
  "SELECT status, count(*) AS orders FROM LAKE.sample.orders WHERE order_id > $least GROUP BY ALL ORDER BY ALL";
const PARAMETERS = { least: { type: "integer", default: 0 } };

type Called = { url: string; key: string };

export async function benchEndpoints(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-endpoints-"));
  const stops: Stops = [() => rm(folder, { recursive: true, force: true })];
  try {
    const platform = await startPlatform();
    stops.push(() => platform.stop());
    const [endpoint, bare] = [await publish(platform), await startBare(folder, stops)];
    await reportKept(platform, endpoint, bare);
    await reportRun(platform, endpoint);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function publish({ url, key }: Platform): Promise<Called> {
  const make = async (path: string, body: object) =>
    (await makeAt<{ data: Record<string, string> }>(`${url}${path}`, key, body)).data;
  const { id: query_id } = await make("/v4/queries", { name: "Bench", sql: SQL, parameters: PARAMETERS });
  const grants = [{ integration_id: "*", schema: "sample" }];
  const { id: role_id } = await make("/v4/data-access/roles", { name: "Bench", grants });
  const { id, path } = await make("/v4/endpoints", { name: "bench", query_id, role_id, rate_per_minute: 60_000 });
  return { url: `${url}${path}`, key: (await make(`/v4/endpoints/${id}/keys`, { name: "Bench" })).key! };
}

async function makeAt<Body>(url: string, key: string, body: object): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

type Bare = { workerd: Program; wrangler: Program };

async function startBare(folder: string, stops: Stops): Promise<Bare> {
  const [directory, config] = [join(folder, "bare"), join(folder, "bare.toml")];
  await Promise.all([mkdir(directory), writeFile(config, await bareConfiguration(CONFIG))]);
  await buildBundle(config, directory);
  // Its database is never asked for anything.
  const bare = await serveBundle(config, directory, { HEADERS: "[]" }, await freePort());
  stops.push(bare.stop);
  const byWrangler = await serveByWrangler(config, join(folder, "wrangler"));
  stops.push(byWrangler.stop);
  return { workerd: bare, wrangler: byWrangler };
}

const LOAD = fileURLToPath(new URL("http/load.ts", import.meta.url));

async function load(url: string, key?: string): Promise<LoadReport> {
  const { port, pathname } = new URL(url);
  const options: LoadOptions = {
    port: Number(port),
    path: pathname,
    headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
    connections: CONNECTIONS,
    warmMs: 1_000,
    durationMs: ROUND_MS,
  };
  return JSON.parse(await runProgram(process.execPath, [LOAD, JSON.stringify(options)])) as LoadReport;
}

async function reportKept({ url, key }: Platform, endpoint: Called, bare: Bare): Promise<void> {
  await askJson(endpoint);
  const results = await alternate(ROUNDS, {
    endpoint: () => load(endpoint.url, endpoint.key),
    me: () => load(`${url}/v4/me`, key),
    wrangler: () => load(`http://127.0.0.1:${bare.wrangler.port}/json`),
    bare: () => load(`http://127.0.0.1:${bare.workerd.port}/json`),
  });
  const of = (name: keyof typeof results, field: keyof LoadReport) => results[name].map((round) => round[field]);
  const row = (label: string, name: keyof typeof results) => [
    label,
    fixed(median(of(name, "requestsPerSecond")), 0),
    fixed(median(of(name, "p50Ms")), 2),
    fixed(median(of(name, "p99Ms")), 2),
    `${fixed(ratio(of(name, "requestsPerSecond"), of("wrangler", "requestsPerSecond")), 3)}×`,
  ];
  printTable(
    `A kept answer: ${CONNECTIONS} connections, medians of ${ROUNDS} alternating rounds of ${ROUND_MS / 1_000} s`,
    ["", "requests/s", "p50 ms", "p99 ms", "of bare there"],
    [
      row("the endpoint, from the engine's cache", "endpoint"),
      row("GET /v4/me, the same platform", "me"),
      row("bare Hono GET /json, by wrangler dev", "wrangler"),
      row("the same in bare workerd", "bare"),
    ],
  );
  say(`Load of the machine ${machineLoad()}.`);
}

async function reportRun({ url, key }: Platform, endpoint: Called): Promise<void> {
  // No two have the same value, so that none is kept.
  let least = 0;
  const contenders = {
    endpoint: () => timed(() => askJson({ ...endpoint, body: { parameters: { least: --least } } })),
    query: () =>
      timed(() => askJson({ url: `${url}/v1/query`, key, body: { sql: SQL, parameters: { least: --least } } })),
  };
  await alternate(5, contenders);
  const ms = await alternate(STATEMENTS, contenders);
  const row = (label: string, all: number[]) => [label, fixed(median(all), 2), fixed(percentile(all, 0.99), 2)];
  printTable(
    `A statement that runs, one client: ms, ${STATEMENTS} alternating rounds`,
    ["", "p50", "p99"],
    [row("the endpoint", ms.endpoint), row("POST /v1/query", ms.query)],
  );
  say(`${fixed(median(ms.endpoint) - median(ms.query), 2)} ms more. Load of the machine ${machineLoad()}.`);
}
