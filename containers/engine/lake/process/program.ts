// The program of a query process: the only place where a tenant's SQL is parsed and run. It holds no credentials.
// Its working directory is the cache, so that no path in its messages says where on the machine it is.

import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { Socket } from "node:net";
import { Failure, toFailure } from "../../core/failure.ts";
import { fromDuckdb } from "../../duckdb/errors.ts";
import { readFooters } from "../../parquet/footers.ts";
import { setVariables } from "../sql/bound-values.ts";
import { Gate } from "../sql/gate.ts";
import { LockedDatabase, type DatabaseLimits } from "./locked-database.ts";
import { encodeFrame, type Frame, type Order, type WriteOrder } from "./messages.ts";
import { streamResult } from "./results/stream-result.ts";
import { findRowGroups, type RowGroupQuestion } from "../pruning/row-groups.ts";
import { PlanProbe } from "../pruning/plan-probe.ts";

/** `residueMb`: what statements may leave mapped behind them before the process gives way to a fresh one. */
export type ProcessLimits = DatabaseLimits & { residueMb: number };

const limits = JSON.parse(process.env.QUERY_LIMITS ?? "{}") as ProcessLimits;
const out = new Socket({ fd: 3, readable: false, writable: true });

let opened = 0;
const openDatabase = (): Promise<LockedDatabase> => LockedDatabase.open(limits, `tmp/${process.pid}-${++opened}`);

const planProbe = new PlanProbe();
let [gate, database] = await Promise.all([Gate.open(), openDatabase()]);
/** Set while a statement runs; an order to interrupt that comes between two statements must not hit the next. */
let running = false;
let interrupted = false;

/** What the kernel's data bound counts. */
function dataMb(): number {
  try {
    return Number(/VmData:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    // Not a Linux: no such bound either.
    return 0;
  }
}
const dataMbAtStart = dataMb();

async function send(frame: Frame): Promise<void> {
  let free = true;
  for (const bytes of encodeFrame(frame)) free = out.write(bytes);
  if (!free) await new Promise<void>((resolve) => out.once("drain", resolve));
}

async function analyse({ sql, ...options }: Extract<Order, { do: "analyse" }>): Promise<void> {
  const value = await gate.analyse(sql, options).catch((error: unknown) => ({ failure: toFailure(error).toJSON() }));
  await send({ kind: "analysis", value });
}

/** Reads footers before any SQL of a tenant has run in this database; a damaged file can harm this process alone. */
async function inspect(paths: string[], chunked: string[]): Promise<void> {
  const value = await readFooters(database.connection, paths, chunked).catch((error: unknown) => ({
    failure: fromDuckdb(error, "", 0).toJSON(),
  }));
  await send({ kind: "footers", value });
}

async function prune(questions: RowGroupQuestion[]): Promise<void> {
  const value = await findRowGroups(database.connection, questions).catch((error: unknown) => ({
    failure: fromDuckdb(error, "", 0).toJSON(),
  }));
  await send({ kind: "pruned", value });
}

async function run(order: Extract<Order, { do: "run" }>): Promise<void> {
  running = true;
  interrupted = false;
  const cancelled = (): void => {
    if (interrupted) throw new Failure("cancelled", "The statement was cancelled.");
  };
  let value: Extract<Frame, { kind: "end" }>["value"];
  try {
    await database.setUp(order.setup, order.paths);
    await setVariables(database.connection, order.values);
    cancelled();
    value = await streamResult(database.connection, order, {
      check: cancelled,
      columns: (columns) => send({ kind: "columns", value: columns }),
      data: async (bytes, whole) => {
        cancelled();
        await send({ kind: whole ? "data" : "part", bytes });
      },
    });
  } catch (error) {
    const failure = toFailure(error);
    if (failure.code === "internal")
      console.error("query process:", failure.cause instanceof Error ? failure.cause.message : failure);
    value = { failure: failure.toJSON() };
  }
  running = false;
  await send({ kind: "end", value });
  await leave();
}

/** One order of a statement that writes; the database stays as it is for the next. */
async function write(order: Exclude<WriteOrder, { do: "leave" }>): Promise<void> {
  running = true;
  interrupted = false;
  // Most processes never write: what that takes is loaded by those that do.
  const { runWriteOrder } = await import("./write-files.ts");
  const value = await runWriteOrder(database, order, () => interrupted).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ failure: toFailure(error).toJSON() }),
  );
  running = false;
  await send({ kind: "answer", value });
}

async function leave(): Promise<void> {
  // Opened now, so that the next statement finds it ready.
  database.close();
  if (dataMb() > dataMbAtStart + limits.residueMb) process.exit(0);
  database = await openDatabase();
  await send({ kind: "ready" });
}

process.on("message", (order: Order) => {
  if (order.do === "analyse") void analyse(order);
  else if (order.do === "inspect") void inspect(order.paths, order.chunked);
  else if (order.do === "probe") void planProbe.scansOf(order).then((value) => send({ kind: "scans", value }));
  else if (order.do === "prune") void prune(order.questions);
  else if (order.do === "run") void run(order);
  else if (order.do === "setUp" || order.do === "shape" || order.do === "write") void write(order);
  else if (order.do === "leave") void leave();
  else if (running) {
    interrupted = true;
    database.connection.interrupt();
  } else planProbe.interrupt();
});
// The engine is gone, however it went: so are we.
process.on("disconnect", () => process.exit(0));
out.on("error", () => process.exit(0));
await send({ kind: "ready" });
// It will be killed one day, and Node keeps what it has compiled only at an orderly exit. Does nothing where no cache
// is set.
flushCompileCache();
