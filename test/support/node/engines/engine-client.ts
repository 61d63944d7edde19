// A client of the Iceberg catalog, as the tests ask it: one program of another engine, with settings that a user has.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { endProcess, endWithUs, lastComplaints } from "../servers/server-process.ts";

export type TableName = readonly [schema: string, name: string];
/** Values are texts, lists of them, objects of them, and null. */
export type ClientTable = { columns: string[]; rows: unknown[][] };
export type Predicate = { column: string; operator: "=" | ">=" | "<="; value: string; type: string };

export type EngineClient = {
  tables(): Promise<TableName[]>;
  /** All rows, as of a snapshot or of now. */
  read(table: TableName, snapshot?: number | null): Promise<ClientTable>;
  /** How many rows each of the predicates finds. */
  count(table: TableName, predicates: readonly Predicate[]): Promise<number[]>;
  /** Tries to change the table; rejects with the client's own words. */
  write(table: TableName): Promise<void>;
  /** Keeps what it knows of a table, as a session of that client would. */
  hold(table: TableName): Promise<void>;
  /** Reads the table that is held. */
  readHeld(table: TableName): Promise<ClientTable>;
};

/** A client's program, which knows several catalogs by name. */
export type Engine = {
  of(catalog: string): EngineClient;
  /** What only one kind of client can do. */
  ask(op: string, catalog: string): Promise<void>;
  stop(): Promise<void>;
};

/** Who reads which lake; `warehouse` may end in a profile. */
export type CatalogAccess = { baseUrl: string; warehouse: string; key: string };
export type Catalogs = Record<string, CatalogAccess>;

type Pending = { resolve(answer: unknown): void; reject(error: Error): void };
type Message = { ready?: true; id?: number; answer?: unknown; error?: string };

const CLIENTS = join(import.meta.dirname, "clients");
const ANSWER_MS = 300_000;
/** Each request has a time of its own to be answered in. */
const PREDICATES_OF_A_REQUEST = 8;
const STOP_MS = 10_000;

/** Starts a program of `clients/`, which converses as `conversation.py` says. */
export async function startPythonClient(
  script: string,
  pythonPath: string,
  catalogs: Catalogs,
  args: string[] = [],
): Promise<Engine> {
  const accesses = Object.entries(catalogs).map(([name, { baseUrl, warehouse, key }]) => [
    name,
    [baseUrl, warehouse, key],
  ]);
  const child = spawn("python3", [join(CLIENTS, script), JSON.stringify(Object.fromEntries(accesses)), ...args], {
    env: { ...process.env, PYTHONPATH: pythonPath, PYTHONDONTWRITEBYTECODE: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  endWithUs(child);
  const complaints = lastComplaints(child);
  const pending = new Map<number, Pending>();
  const ready = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, answer, error, ready: isReady } = JSON.parse(line) as Message;
    if (isReady) return ready.resolve();
    const waiting = pending.get(id!);
    pending.delete(id!);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(error));
  });
  const end = (): void => {
    const error = new Error(`${script} ended. It printed:\n${complaints.join("")}`);
    ready.reject(error);
    for (const { reject } of pending.values()) reject(error);
  };
  child.on("exit", end).on("error", end);
  child.stdin.on("error", () => undefined);

  let last = 0;
  const ask = <Answer>(op: string, args: Record<string, unknown>): Promise<Answer> => {
    const id = ++last;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      pending.delete(id);
      reject(new Error(`${script} did not answer ${op} within ${ANSWER_MS / 1_000} s.`));
    }, ANSWER_MS);
    pending.set(id, { resolve, reject });
    child.stdin.write(`${JSON.stringify({ id, op, args })}\n`);
    return (promise as Promise<Answer>).finally(() => clearTimeout(timer));
  };
  await ready.promise;
  return {
    of: (catalog) => ({
      tables: () => ask("tables", { catalog }),
      read: (table, snapshot = null) => ask("read", { catalog, table, snapshot }),
      count: (table, predicates) =>
        countInParts((part) => ask("count", { catalog, table, predicates: part }), predicates),
      write: (table) => ask("write", { catalog, table }),
      hold: (table) => ask("hold", { catalog, table }),
      readHeld: (table) => ask("read_held", { catalog, table }),
    }),
    ask: (op, catalog) => ask(op, { catalog }),
    stop: async () => void (await endProcess(child, "SIGTERM", STOP_MS)),
  };
}

export async function countInParts(
  count: (part: readonly Predicate[]) => Promise<number[]>,
  predicates: readonly Predicate[],
): Promise<number[]> {
  const counts: number[] = [];
  for (let from = 0; from < predicates.length; from += PREDICATES_OF_A_REQUEST)
    counts.push(...(await count(predicates.slice(from, from + PREDICATES_OF_A_REQUEST))));
  return counts;
}
