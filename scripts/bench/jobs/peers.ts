// The yardsticks: pg-boss and graphile-worker on a PostgreSQL of their own, each as fast as its settings let it be.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import type { Server } from "../../../test/support/node/servers/server.ts";
import { packageFolder } from "../support/package.ts";
import { Starts, type Contender } from "./contender.ts";

/** The newest whose dependencies are all published. */
const VERSIONS = { "pg-boss": "12.35.0", "graphile-worker": "0.18.0" };
const TASK = "bench";
const EACH_MINUTE = "* * * * *";
const SILENT = () => undefined;

/** What a job does: nothing, in the worker's own process, or a Python of its own that says when it began. */
export type Handler = () => Promise<number>;
export const doNothing: Handler = async () => Date.now();
export const runPython =
  (command: string): Handler =>
  async () => {
    const { stdout } = await promisify(execFile)(command, ["-I", "-c", "import time; print(time.time())"]);
    return Number(stdout) * 1_000;
  };

/** `atOnce` of `handler` run side by side in this process; `handlerName` says what it does. */
export type PeerOptions = { server: Server; atOnce: number; handler: Handler; handlerName: string };

type PgBoss = {
  start(): Promise<unknown>;
  stop(options: { graceful: boolean }): Promise<unknown>;
  on(event: string, listener: () => void): unknown;
  createQueue(name: string, options: object): Promise<unknown>;
  work(name: string, options: object, handler: (jobs: { data: { id: string } }[]) => Promise<void>): Promise<unknown>;
  send(name: string, data: object): Promise<unknown>;
  schedule(name: string, cron: string, data: object, options: object): Promise<unknown>;
  unschedule(name: string, key: string): Promise<unknown>;
};

export async function openPgBoss({ server, atOnce, handler, handlerName }: PeerOptions): Promise<Contender> {
  const { PgBoss } = (await importPeer("pg-boss", "dist/index.js")) as { PgBoss: new (options: object) => PgBoss };
  const starts = new Starts();
  const boss = new PgBoss({
    ...(await newDatabase(server)),
    useListenNotify: true,
    cronMonitorIntervalSeconds: 1,
    cronWorkerIntervalSeconds: 1,
  });
  boss.on("error", SILENT);
  await boss.start();
  await boss.createQueue(TASK, { notify: true });
  // Whole batches keep it from waiting for its next poll.
  const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
  await boss.work(TASK, { ...polling, batchSize: atOnce }, async (jobs) => {
    await Promise.all(jobs.map(async ({ data }) => starts.add(data.id, await handler())));
  });
  return {
    name: `pg-boss ${VERSIONS["pg-boss"]}, ${handlerName}`,
    prepare: async () => undefined,
    enqueue: async (id) => void (await boss.send(TASK, { id })),
    async schedule(ids) {
      for (const id of ids) await boss.schedule(TASK, EACH_MINUTE, { id }, { key: id });
      return async () => {
        for (const id of ids) await boss.unschedule(TASK, id);
      };
    },
    began: (ids, since) => starts.firstSince(ids, since),
    stop: async () => void (await boss.stop({ graceful: false })),
  };
}

type Runner = { stop(): Promise<void>; addJob(task: string, payload: object): Promise<unknown> };

export async function openGraphileWorker(options: PeerOptions): Promise<Contender> {
  const { run, Logger } = (await importPeer("graphile-worker", "dist/index.js")) as {
    run(options: object): Promise<Runner>;
    Logger: new (factory: () => () => void) => object;
  };
  const starts = new Starts();
  const { user, password, host, port, database } = await newDatabase(options.server);
  const connectionString = `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${database}`;
  const taskList = { [TASK]: async (payload: { id: string }) => starts.add(payload.id, await options.handler()) };
  const launch = (crontab: string, concurrency: number) =>
    run({
      connectionString,
      maxPoolSize: concurrency + 2,
      taskList,
      crontab,
      concurrency,
      noHandleSignals: true,
      logger: new Logger(() => SILENT),
    });
  const runner = await launch("", options.atOnce);
  return {
    name: `graphile-worker ${VERSIONS["graphile-worker"]}, ${options.handlerName}`,
    prepare: async () => undefined,
    enqueue: async (id) => void (await runner.addJob(TASK, { id })),
    async schedule(ids) {
      // It reads its crontab once; who enqueues what is due need not be who works on it.
      const lines = ids.map((id) => `${EACH_MINUTE} ${TASK} ?id=${id} ${JSON.stringify({ id })}`);
      const scheduler = await launch(lines.join("\n"), 1);
      return () => scheduler.stop();
    },
    began: (ids, since) => starts.firstSince(ids, since),
    stop: () => runner.stop(),
  };
}

let databases = 0;

async function newDatabase({ host, port, username: user, password }: Server) {
  const login = { host, port, user, password };
  const database = `bench_${databases++}`;
  const client = new pg.Client({ ...login, database: "postgres" });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`).finally(() => client.end());
  return { ...login, database };
}

async function importPeer(name: keyof typeof VERSIONS, main: string): Promise<unknown> {
  return import(pathToFileURL(join(await packageFolder(name, VERSIONS[name]), main)).href);
}
