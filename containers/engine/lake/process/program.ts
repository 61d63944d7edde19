// The program of a query process: the only place where a tenant's SQL is parsed and run. It holds no credentials.
// Its working directory is the cache, so that no path in its messages says where on the machine it is.

import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { Socket } from "node:net";
import type { DuckDBConnection } from "@duckdb/node-api";
import { Failure, toFailure } from "../../core/failure.ts";
import type { Column } from "../../formats/result.ts";
import { fromDuckdb } from "../../duckdb/errors.ts";
import { readFooters } from "../../parquet/footers.ts";
import { setVariables } from "../sql/bound-values.ts";
import { Gate } from "../sql/gate.ts";
import { isHarmless, KeptDatabases, KnownShapes, type KeptDatabase } from "./kept-databases.ts";
import { LockedDatabase, type DatabaseLimits } from "./locked-database.ts";
import { sendFrame } from "./frames.ts";
import type { Frame, Order, RunOrder, WriteOrder } from "./messages.ts";
import { streamResult } from "./results/stream-result.ts";
import { findRowGroups } from "../pruning/row-groups.ts";
import { PlanProbe } from "../pruning/plan-probe.ts";

/** `residueMb`: what statements may leave mapped behind them before the process gives way to a fresh one. */
export type ProcessLimits = DatabaseLimits & { residueMb: number };

const limits = JSON.parse(process.env.QUERY_LIMITS ?? "{}") as ProcessLimits;
const out = new Socket({ fd: 3, readable: false, writable: true });

let opened = 0;
const databases = new KeptDatabases(() => LockedDatabase.open(limits, `tmp/${process.pid}-${++opened}`));

const planProbe = new PlanProbe();
const [gate] = await Promise.all([Gate.open(), databases.blank()]);
/** The database of a statement that writes, from its first order until it leaves. */
let writing: LockedDatabase | undefined;
/** Set while a statement runs; an order to interrupt that comes between two statements must not hit the next. */
let running: DuckDBConnection | undefined;
let interrupted = false;

/** The process's memory as the kernel's data bound counts it, in MB. */
function dataMb(): number {
  try {
    return Number(/VmData:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    // Only Linux has this file, and only there is the bound set.
    return 0;
  }
}
const dataMbAtStart = dataMb();

const send = (frame: Frame): Promise<void> => sendFrame(out, frame);

/** Answers an order that is not a run. */
async function answer(asked: Promise<unknown>): Promise<void> {
  const value = await asked.then(
    (answered) => ({ answer: answered }),
    (error: unknown) => ({ failure: toFailure(error).toJSON() }),
  );
  await send({ kind: "answer", value });
}

/** Reads files before any SQL of a tenant has run in the database; a damaged file can harm this process alone. */
const inBlank = <T>(read: (connection: DuckDBConnection) => Promise<T>): Promise<T> =>
  databases
    .blank()
    .then(({ connection }) => read(connection))
    .catch((error: unknown) => Promise.reject(fromDuckdb(error, "", 0)));

const cancelled = (): Failure => new Failure("cancelled", "The statement was cancelled.");

const checkInterrupted = (): void => {
  if (interrupted) throw cancelled();
};

async function run(order: RunOrder): Promise<void> {
  interrupted = false;
  const used: Partial<Used> = {};
  const value = await runIn(used, order).catch((error: unknown) => {
    // After an interrupt any error means cancellation: it is no bug, and its message, which may quote the statement, is
    // dropped.
    const failure = interrupted ? cancelled() : toFailure(error);
    if (failure.code === "internal")
      console.error("query process:", failure.cause instanceof Error ? failure.cause.message : failure);
    return { failure: failure.toJSON() };
  });
  running = undefined;
  await send({ kind: "end", value });
  await keepOrClose(used, !("failure" in value) || isHarmless(value.failure));
  await leave();
}

/** The database that a statement runs in. */
type Used = KeptDatabase & { session: DuckDBConnection };

/** Says in `used` what it opened, also where it rejects. */
async function runIn(used: Partial<Used>, order: RunOrder): Promise<{ truncated: boolean }> {
  const { database, shapes } = Object.assign(used, databases.take(order.key) ?? (await blankFor(order)));
  if (!database.isLocked) {
    running = database.connection;
    await database.setUp(order.setup, order.paths);
  }
  const session = (running = used.session = await database.openSession());
  await setVariables(session, order.values);
  checkInterrupted();
  const taker = {
    check: checkInterrupted,
    columns: (columns: Column[]) => send({ kind: "columns", value: columns }),
    data: async (bytes: Uint8Array, whole: boolean) => {
      checkInterrupted();
      await send({ kind: whole ? "data" : "part", bytes });
    },
  };
  return streamResult(session, order, taker, shapes);
}

const blankFor = async ({ key }: RunOrder): Promise<KeptDatabase> => ({
  key,
  database: await databases.takeBlank(),
  shapes: new KnownShapes(),
});

/** Keeps a database in which nothing can be left of its statement. */
async function keepOrClose({ key, database, shapes, session }: Partial<Used>, isHarmless: boolean): Promise<void> {
  const isAsBefore = session !== undefined && (await database?.closeSession(session)) === true;
  if (key !== undefined && database && shapes && isAsBefore && isHarmless) databases.keep({ key, database, shapes });
  else database?.close();
}

/** One order of a statement that writes; the database stays as it is for the next. */
async function write(order: Exclude<WriteOrder, { do: "leave" }>): Promise<unknown> {
  interrupted = false;
  try {
    // Most processes never write: what that takes is loaded by those that do.
    const [database, { runWriteOrder }] = await Promise.all([databaseOfWrite(), import("./write-files.ts")]);
    running = database.connection;
    return await runWriteOrder(database, order, () => interrupted);
  } finally {
    running = undefined;
  }
}

const databaseOfWrite = async (): Promise<LockedDatabase> => (writing ??= await databases.takeBlank());

/** Prepares for the next statement, or ends the process where the last statement has left too much memory mapped. */
async function leave(): Promise<void> {
  const most = dataMbAtStart + limits.residueMb;
  while (dataMb() > most && databases.dropOldest());
  // Frames that wait to go with others go before the end.
  if (dataMb() > most) return void out.end(() => process.exit(0));
  databases.openAhead();
  await send({ kind: "ready", value: { keys: databases.keys } });
}

async function leaveWrite(): Promise<void> {
  writing?.close();
  writing = undefined;
  await leave();
}

process.on("message", (order: Order) => {
  databases.pause();
  if (order.do === "analyse") void answer(gate.analyse(order.sql, order));
  else if (order.do === "inspect")
    void answer(inBlank((connection) => readFooters(connection, order.paths, order.chunked)));
  else if (order.do === "probe") void answer(planProbe.scansOf(order));
  else if (order.do === "prune") void answer(inBlank((connection) => findRowGroups(connection, order.questions)));
  else if (order.do === "run") void run(order);
  else if (order.do === "setUp" || order.do === "shape" || order.do === "rows" || order.do === "write")
    void answer(write(order));
  else if (order.do === "leave") void leaveWrite();
  else {
    interrupted = true;
    if (running) running.interrupt();
    else planProbe.interrupt();
  }
});
// The engine is gone, for whatever reason, and this process ends, too. An orderly exit would wait for the running
// statement.
const die = (): void => void process.kill(process.pid, "SIGKILL");
process.on("disconnect", die);
out.on("error", die);
await send({ kind: "ready", value: { keys: [] } });
// The process will be killed in the end, and Node keeps compiled code only at an orderly exit. This does nothing where
// no cache is set.
flushCompileCache();
