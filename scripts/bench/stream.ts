// Megabytes per second of a large CSV answer from PostgreSQL, from the engine and through the product, beside psql.

import pg from "pg";
import { startEngine, aStatement, type Engine } from "../../test/support/node/programs/engine.ts";
import { startPostgres } from "../../test/support/node/servers/postgres.ts";
import type { Server } from "../../test/support/node/servers/server.ts";
import { ask } from "../start/platform.ts";
import { drain, type Drained } from "./support/ask.ts";
import { alternate, fixed, machineLoad, median, memoryMb, printTable, ratio, say } from "./support/measure.ts";
import { startPlatform, type Platform } from "./support/platform.ts";
import { runProgram } from "./support/program.ts";
import { psqlArgs } from "./sync/yardsticks.ts";

const ROWS = 1_600_000;
const ROUNDS = 3;
const SQL = "SELECT * FROM bench";

type Run = { seconds: number; bytes: number | undefined };

export async function benchStream(): Promise<void> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const postgres = await startPostgres();
    stops.push(() => postgres.stop());
    await fill(postgres.server);
    const engine = await startEngine({ hostsAllowed: "loopback" });
    stops.push(() => engine.stop());
    const platform = await startPlatform();
    stops.push(() => platform.stop());
    const integrationId = await connect(platform, postgres.server);

    const results = await alternate(ROUNDS, {
      psql: () => timed(() => copyWithPsql(postgres.server)),
      engine: () => timed(async () => (await askEngine(engine, postgres.server)).bytes),
      platform: () => timed(async () => (await askPlatform(platform, integrationId)).bytes),
    });
    await report(results, engine, platform);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Ten columns of the usual kinds, NULLs, and text that needs quoting now and then. */
async function fill(server: Server): Promise<void> {
  console.log(`Filling a table with ${ROWS.toLocaleString("en")} rows …`);
  const client = new pg.Client({ ...server, user: server.username, database: "postgres", ssl: false });
  await client.connect();
  try {
    await client.query(`CREATE UNLOGGED TABLE bench AS SELECT
    i::bigint AS id,
    timestamptz '2024-01-01 00:00:00Z' + i * interval '13.7 seconds' AS created_at,
    date '2024-01-01' + i % 900 AS due_on,
    (i::bigint * 7919 % 1000000 / 100.0)::numeric(18, 2) AS amount,
    i % 97 AS quantity,
    sqrt(i::float8) AS score,
    i % 3 = 0 AS active,
    md5(i::text)::uuid AS reference,
    'customer ' || i % 50000 AS customer,
    CASE WHEN i % 10 = 0 THEN NULL WHEN i % 50 = 7 THEN 'said "later", twice'
      ELSE 'note ' || md5((i % 1000)::text) END AS note
    FROM generate_series(1, ${ROWS}) AS i`);
    await client.query("VACUUM ANALYZE bench");
  } finally {
    await client.end();
  }
}

const credentialsOf = ({ host, port, username, password }: Server) => ({
  host,
  port: String(port),
  database: "postgres",
  username,
  password,
});

async function connect(platform: Platform, server: Server): Promise<string> {
  const body = { type: "postgres", name: "bench", credentials: credentialsOf(server) };
  return (await ask<{ integration: { id: string } }>(`${platform.url}/v1/api/integrations`, "POST", platform.key, body))
    .integration.id;
}

async function timed(run: () => Promise<number | undefined>): Promise<Run> {
  const startedAt = performance.now();
  const bytes = await run();
  return { seconds: (performance.now() - startedAt) / 1_000, bytes };
}

async function copyWithPsql(server: Server): Promise<undefined> {
  const command = `\\copy (${SQL}) to /dev/null csv header`;
  await runProgram("psql", psqlArgs(server, command), { PGPASSWORD: server.password });
}

const askEngine = ({ url, secret }: Engine, server: Server): Promise<Drained> =>
  drain({
    url: `${url}/statements`,
    key: secret,
    accept: "text/csv",
    body: aStatement({
      sql: SQL,
      format: "csv",
      deadlineMs: 300_000,
      leaseMs: 300_000,
      target: { kind: "source", source: { type: "postgres", credentials: credentialsOf(server) } },
    }),
  });

const askPlatform = ({ url, key }: Platform, integrationId: string): Promise<Drained> =>
  drain({ url: `${url}/v1/query`, key, accept: "text/csv", body: { sql: SQL, integration_id: integrationId } });

async function report(
  results: Record<"psql" | "engine" | "platform", Run[]>,
  engine: Engine,
  platform: Platform,
): Promise<void> {
  const megabytes = results.engine[0]!.bytes! / 1e6;
  const seconds = (name: keyof typeof results) => results[name].map((run) => run.seconds);
  const peak = async (pids: number[]) => {
    const peaks = await Promise.all(pids.map(async (pid) => (await memoryMb(pid))?.peak ?? 0));
    return peaks.length ? `${fixed(Math.max(...peaks), 0)} MB` : "unknown";
  };
  const row = (label: string, name: keyof typeof results, memory: string) => [
    label,
    fixed(median(seconds(name)), 2),
    fixed(megabytes / median(seconds(name)), 0),
    fixed(ROWS / median(seconds(name)) / 1_000, 0),
    `${fixed(ratio(seconds("psql"), seconds(name)), 2)}×`,
    memory,
  ];
  const engineBehind = await peak(await platform.find("containers/engine/main.ts"));
  const workerd = await peak(await platform.find("workerd"));
  printTable(
    `Streaming: ${ROWS.toLocaleString("en")} rows, 10 columns, ${fixed(megabytes, 0)} MB of CSV from PostgreSQL, ` +
      `medians of ${ROUNDS} alternating rounds`,
    ["", "s", "MB/s", "1000 rows/s", "of psql", "peak memory"],
    [
      row("psql \\copy … to /dev/null csv", "psql", ""),
      row("the engine", "engine", `engine ${await peak([engine.pid])}`),
      row("the product, wrangler dev", "platform", `engine ${engineBehind}, workerd ${workerd}`),
    ],
  );
  say(`MB/s in the bytes of our answer throughout; the ratio is of the times. Load of the machine ${machineLoad()}.`);
  say("wrangler dev puts a proxy Worker in front: its figure is a lower bound of what the Worker can do.");
}
