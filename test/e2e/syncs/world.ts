// A platform of a test's own with a sync from each kind of database, and everything between them in the test's hands.

import { rm } from "node:fs/promises";
import mysql from "mysql2/promise";
import { expect, inject } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { startMariadb } from "../../support/node/servers/mariadb.ts";
import { copyState, startPlatform, type Platform } from "../../support/node/platform/platform.ts";
import { startPostgres } from "../../support/node/servers/postgres.ts";
import { ENGINE_PROGRAM, isRunning, listFamily } from "../../support/node/programs/processes.ts";
import type { RunningServer } from "../../support/node/servers/server.ts";
import { freePort } from "../../support/node/servers/server-process.ts";
import { connectPostgres } from "../../support/node/sources/sources.ts";
import { startInterceptingProxy } from "../../support/node/servers/intercepting-proxy.ts";
import { call, connect, rowsOf, type Integration } from "../client.ts";

export type Run = {
  run_id: string;
  status: string;
  details: { state: string; reason: string | null; attempt: number; attempts_max: number; ended_at: string | null };
  tables: Array<{
    source: string;
    rows_written: number;
    method: string;
    notes: string[];
    error: string | null;
    phase: string;
  }>;
};

export type Kind = "postgres" | "mysql";
const START = { postgres: startPostgres, mysql: startMariadb };
const KINDS: readonly Kind[] = ["postgres", "mysql"];
type Row = Record<string, unknown>;

const ROWS = 20_000;
/** In either database's SQL and in the lake's, the whole of a table as one line. */
const SUMS = {
  orders: ["id", "concat(id, '|', customer, '|', total, '|', coalesce(note, '~'))"],
  lines: ["order_id, line", "concat(order_id, '|', line, '|', sku)"],
} as const;

/** `slow` is a view that naps before each of its rows, for as long as `knob` says. */
const TABLES = {
  postgres: `
    CREATE TABLE knob (seconds double precision); INSERT INTO knob VALUES (0);
    CREATE VIEW slow AS SELECT g AS id, pg_sleep((SELECT seconds FROM knob))::text AS nap FROM generate_series(1, 100) AS g;
    CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL, total numeric(12,2) NOT NULL, note text);
    CREATE TABLE lines (order_id int, line int, sku text NOT NULL, PRIMARY KEY (order_id, line));
    INSERT INTO orders SELECT i, 'c' || i % 100, i / 4.0, CASE WHEN i % 3 = 0 THEN 'n' || i END FROM generate_series(1, ${ROWS}) AS i;
    INSERT INTO lines SELECT i / 4, i % 4, 's' || i FROM generate_series(1, ${ROWS}) AS i`,
  mysql: `
    CREATE TABLE knob (seconds double); INSERT INTO knob VALUES (0);
    CREATE VIEW slow AS SELECT seq AS id, SLEEP((SELECT seconds FROM knob) + seq * 0) AS nap FROM seq_1_to_100;
    CREATE TABLE orders (id bigint PRIMARY KEY, customer varchar(20) NOT NULL, total decimal(12,2) NOT NULL, note varchar(20));
    CREATE TABLE \`lines\` (order_id int, line int, sku varchar(20) NOT NULL, PRIMARY KEY (order_id, line));
    INSERT INTO orders SELECT seq, concat('c', seq % 100), seq / 4.0, CASE WHEN seq % 3 = 0 THEN concat('n', seq) END FROM seq_1_to_${ROWS};
    INSERT INTO \`lines\` SELECT seq div 4, seq % 4, concat('s', seq) FROM seq_1_to_${ROWS}`,
};
const CHANGES = `
  UPDATE orders SET total = total + 1, note = 'changed' WHERE id % 50 = ROUND; DELETE FROM orders WHERE id % 50 = ROUND + 1; DELETE FROM LINES WHERE order_id % 50 = ROUND;
  INSERT INTO orders VALUES (1000000 + ROUND, 'new', ROUND, NULL); INSERT INTO LINES VALUES (1000000 + ROUND, 1, 'new')`;

export type SyncWorld = Awaited<ReturnType<typeof openSyncWorld>>;

export async function openSyncWorld(kinds: readonly Kind[] = KINDS) {
  const [state, ...running] = await Promise.all([copyState(inject("seed")), ...kinds.map((kind) => START[kind]())]);
  const servers = Object.fromEntries(kinds.map((kind, index) => [kind, running[index]])) as Record<Kind, RunningServer>;
  // Last, so that nothing takes it before the platform does.
  const port = await freePort();
  const proxy = await startInterceptingProxy(port);
  const env = {
    FJORD_VAR_PLATFORM_URL: `http://127.0.0.1:${proxy.port}`,
    FJORD_VAR_S3_DIAL: `127.0.0.1:${proxy.port}`,
    FJORD_VAR_SYNC_RETRY_SECONDS: "1",
  };
  const start = () => startPlatform({ state, port, env });
  const database = { postgres: "postgres", mysql: "shop" };
  const sources = {} as Record<Kind, Integration>;
  let platform: Platform = await start();
  let round = 0;

  /** A connection for one question: the servers come and go. */
  async function ask(kind: Kind, sql: string): Promise<Row[]> {
    if (kind === "postgres") {
      const client = await connectPostgres(servers.postgres.server);
      return client
        .query(sql)
        .then(({ rows }) => rows as Row[])
        .finally(() => client.end());
    }
    const { host, port: at, username: user, password } = servers.mysql.server;
    const client = await mysql.createConnection({ host, port: at, user, password, multipleStatements: true });
    return client
      .query(`SET SESSION group_concat_max_len = 1073741824; CREATE DATABASE IF NOT EXISTS shop; USE shop; ${sql}`)
      .then(([results]) => (results as Row[][])[3]!)
      .finally(() => client.end());
  }

  const world = {
    proxy,
    servers,
    sources,
    ask,
    platform: () => platform,
    knob: (kind: Kind, seconds: number) => ask(kind, `UPDATE knob SET seconds = ${seconds}`),

    /** Some rows of each table change, so that the next run has something to do. */
    async change(kind: Kind): Promise<void> {
      await ask(
        kind,
        CHANGES.replaceAll("ROUND", String(round++)).replaceAll("LINES", kind === "mysql" ? "`lines`" : "lines"),
      );
    },
    async run(kind: Kind, body: Row = {}): Promise<string> {
      const answer = await call<{ run_id: string }>("POST", `/v1/api/integrations/${sources[kind].id}/syncs/run`, {
        ...platform,
        body,
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      return answer.body.run_id;
    },
    async look(kind: Kind, runId: string): Promise<Run> {
      return (await call<{ run: Run }>("GET", `/v1/api/integrations/${sources[kind].id}/syncs/${runId}`, platform)).body
        .run;
    },
    async ended(kind: Kind, runId: string, timeout = 200_000): Promise<Run> {
      let run: Run | undefined;
      await within(timeout, async () => (run = await world.look(kind, runId)).status !== "STARTED");
      return run!;
    },
    async lines(kind: Kind, runId: string): Promise<string[]> {
      const { body } = await call<{ data: { message: string }[] }>(
        "GET",
        `/v1/api/integrations/${sources[kind].id}/syncs/${runId}/logs`,
        platform,
      );
      return body.data.map(({ message }) => message);
    },
    /** Every table of the lake holds the source's rows, each once, to the letter. */
    async expectEqual(kind: Kind): Promise<void> {
      for (const [table, [key, line]] of Object.entries(SUMS)) {
        const theirs =
          kind === "postgres"
            ? `md5(string_agg(${line}, ',' ORDER BY ${key}))`
            : `md5(group_concat(${line} ORDER BY ${key} SEPARATOR ','))`;
        const name = kind === "mysql" ? `\`${table}\`` : table;
        const [source] = await ask(
          kind,
          `SELECT cast(count(*) AS ${kind === "mysql" ? "char" : "text"}) AS n, ${theirs} AS sum FROM ${name}`,
        );
        const [lake] = await rowsOf(
          `SELECT count(*)::varchar AS n, md5(string_agg(${line}, ',' ORDER BY ${key})) AS sum FROM LAKE.${kind}.${table}`,
          {},
          platform,
        );
        expect(lake, `${kind} ${table}`).toEqual(source);
      }
    },
    async engines(): Promise<number[]> {
      return (await listFamily(platform.pid)).filter(isRunning(ENGINE_PROGRAM)).map(({ pid }) => pid);
    },
    signalEngine: (signal: NodeJS.Signals): Promise<void> => world.signal(ENGINE_PROGRAM, signal),
    /** Signals every process that runs the program. */
    async signal(program: string, signal: NodeJS.Signals): Promise<void> {
      for (const { pid } of (await listFamily(platform.pid)).filter(isRunning(program))) process.kill(pid, signal);
    },
    /** Waits until the sync reads at the source, which it does for long while the knob is turned. */
    async isReading(kind: Kind): Promise<void> {
      const reading = {
        postgres:
          "SELECT pid AS id FROM pg_stat_activity WHERE application_name LIKE 'fjord sync%' AND state = 'active' AND query LIKE 'COPY%slow%'",
        mysql:
          "SELECT id FROM information_schema.processlist WHERE id <> connection_id() AND info LIKE 'SELECT%slow%' AND info NOT LIKE '%processlist%'",
      };
      expect(await within(60_000, async () => (await ask(kind, reading[kind])).length > 0)).toBe(true);
    },
    /** Cuts the sync's connections at the server. */
    async cutSource(kind: Kind): Promise<void> {
      if (kind === "postgres")
        return void (await ask(
          kind,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'fjord sync%'",
        ));
      const rows = await ask(
        kind,
        "SELECT id FROM information_schema.processlist WHERE id <> connection_id() AND db = 'shop' AND user = 'fjord'",
      );
      for (const { id } of rows) await ask(kind, `KILL CONNECTION ${id}`).catch(() => undefined);
    },
    /** Kills the platform's every process and starts it anew on the same state. */
    async restartPlatform(): Promise<void> {
      const family = await listFamily(platform.pid);
      for (const { pid } of family) tryKill(pid);
      await platform.stop("SIGKILL");
      platform = await start();
    },
    /** Kills the runtime alone; its engines live on. */
    async killRuntime(): Promise<void> {
      const runtimes = (await listFamily(platform.pid)).filter(isRunning("workerd serve"));
      for (const { pid } of runtimes) tryKill(pid);
      expect(
        await within(90_000, () => platform.output().includes("The platform answers again")),
        platform.output(),
      ).toBe(true);
    },
    /** What the clock does each minute, now. */
    tick: () => fetch(`${platform.baseUrl}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent("* * * * *")}`),
    async close(): Promise<void> {
      proxy.close();
      await platform.stop();
      await Promise.all([
        ...running.map((server) => server.stop()),
        rm(state, { recursive: true, force: true, maxRetries: 5 }),
      ]);
    },
  };

  const prepare = async (kind: Kind) => {
    await ask(kind, TABLES[kind]);
    sources[kind] = await connect(kind, servers[kind].server, database[kind], platform);
    const tables = ["slow", "orders", "lines"].map((table) => `${kind === "postgres" ? "public" : "shop"}.${table}`);
    const answer = await call<{ run_id: string }>("POST", `/v1/api/integrations/${sources[kind].id}/sync`, {
      ...platform,
      body: { schedule: "daily", dest_schema: kind, tables },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const run = await world.ended(kind, answer.body.run_id);
    expect(run, JSON.stringify(run)).toMatchObject({ status: "SUCCESS", details: { attempt: 1 } });
    await world.expectEqual(kind);
  };
  await Promise.all(kinds.map(prepare));
  return world;
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It went with another.
  }
}
