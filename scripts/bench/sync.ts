// This benchmark measures how fast a table of a source becomes Parquet parts, and a table of the lake, beside clients
// that print it to nowhere and the usual ways to move it.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DatabaseCredentials, Source } from "../../kernel/wire/source.ts";
import type { Taken } from "../../test/support/node/sources/extract-once.ts";
import { startMariadb } from "../../test/support/node/servers/mariadb.ts";
import { startPostgres } from "../../test/support/node/servers/postgres.ts";
import type { Server } from "../../test/support/node/servers/server.ts";
import { findClients, type Client } from "./sync/clients.ts";
import { alternate, fixed, machineLoad, median, printTable, ratio, say } from "./support/measure.ts";
import { runProgram } from "./support/program.ts";
import { appendRowByRow, copyByCsv, copyToNowhere, selectToNowhere } from "./sync/yardsticks.ts";
import { openTools, type Tool } from "./sources/tools.ts";
import { benchSyncs } from "./sync/runs.ts";
import { openLink } from "./sync/slow-link.ts";
import { DATABASE, fillMariadb, fillPostgres, TABLE } from "./sync/tables.ts";

const ROWS_USUAL = 5_000_000;
const ROWS_ONE_BY_ONE_MAX = 500_000;
const ROUNDS = 3;
const LINK = { bytesPerSecond: 30e6, roundTripMs: 20 };
const AIMS = { csv: 0.8, binary: 0.55, mariadb: 0.55, memoryMb: 1_024 };
const once = fileURLToPath(new URL("../../test/support/node/sources/extract-once.ts", import.meta.url));

const NAMES = {
  csv: "psql, COPY csv to nowhere",
  binary: "psql, COPY binary to nowhere",
  ours: "extraction to Parquet parts",
} as const;

type Run = { rowsPerSecond: number; cpuMs?: number; taken?: Taken };

export async function benchSync({ rows = ROWS_USUAL }: { rows?: number } = {}): Promise<void> {
  const clients = await findClients();
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-sync-"));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const postgres = await startPostgres();
    stops.push(() => postgres.stop());
    console.log(`Filling tables with ${rows.toLocaleString("en")} rows …`);
    await fillPostgres(postgres.server, rows);
    const csv = await benchPostgres(postgres.server, folder, rows);
    await benchLink(postgres.server, rows);
    await benchSyncs(postgres.server, sourceOf("postgres", postgres.server), { rows, csv });
    const mariadb = await startMariadb();
    stops.push(() => mariadb.stop());
    await fillMariadb(mariadb.server, rows);
    await benchMariadb(clients.mariadb, mariadb.server, folder, rows);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

const sourceOf = <Type extends "postgres" | "mysql">(
  type: Type,
  { host, port, username, password }: Server,
): { type: Type; credentials: DatabaseCredentials } => ({
  type,
  credentials: { host, port: String(port), database: type === "postgres" ? "postgres" : DATABASE, username, password },
});

/** Answers how many rows a second COPY prints as CSV. */
async function benchPostgres(server: Server, folder: string, rows: number): Promise<number> {
  const rowsOneByOne = Math.min(rows, ROWS_ONE_BY_ONE_MAX);
  const source = sourceOf("postgres", server);
  const { tools, stop } = await openTools({ source, schema: "public", table: TABLE, rows });
  const byTool = (read: Tool["read"]) => async (): Promise<Run> => {
    const { ms, cpuMs } = await read();
    return { rowsPerSecond: rows / (ms / 1_000), cpuMs };
  };
  const results: Record<string, Run[]> = await alternate(ROUNDS, {
    [NAMES.csv]: () => timed(rows, () => copyToNowhere(server, "csv")),
    [NAMES.binary]: () => timed(rows, () => copyToNowhere(server, "binary")),
    [NAMES.ours]: () => extract(source, "public", rows),
    ...Object.fromEntries(tools.map(({ name, read }) => [name, byTool(read)])),
    "psql to a CSV file, DuckDB to Parquet": () => timed(rows, () => copyByCsv(server, folder)),
    [`driver, row by row (${rowsOneByOne.toLocaleString("en")} rows)`]: () =>
      timed(rowsOneByOne, () => appendRowByRow(server, folder, rowsOneByOne)),
  }).finally(stop);
  const rates = (name: string) => results[name]!.map(({ rowsPerSecond }) => rowsPerSecond);
  const cpu = (name: string) => results[name]!.flatMap(({ cpuMs }) => (cpuMs === undefined ? [] : [cpuMs]));
  const perMillion = (name: string) => median(cpu(name)) / 1_000 / (rows / 1e6);
  printTable(
    `PostgreSQL, ${rows.toLocaleString("en")} rows of 12 columns, medians of ${ROUNDS} alternating rounds`,
    ["", "k rows/s", "of csv", "of binary", "CPU-s/M rows"],
    Object.keys(results).map((name) => [
      name,
      thousands(rates(name)),
      fixed(ratio(rates(name), rates(NAMES.csv)), 2),
      fixed(ratio(rates(name), rates(NAMES.binary)), 2),
      cpu(name).length > 0 ? fixed(perMillion(name), 2) : "",
    ]),
  );
  sayTaken(results[NAMES.ours]!, rows);
  for (const { name } of tools)
    say(
      `The extraction is ${fixed(ratio(rates(NAMES.ours), rates(name)), 2)} as fast as ${name}, with ` +
        `${fixed(ratio(cpu(NAMES.ours), cpu(name)), 2)} of its CPU.`,
    );
  sayAim("of COPY csv to nowhere", ratio(rates(NAMES.ours), rates(NAMES.csv)), AIMS.csv);
  sayAim("of COPY binary to nowhere", ratio(rates(NAMES.ours), rates(NAMES.binary)), AIMS.binary);
  return median(rates(NAMES.csv));
}

/** A server that is far away: one connection carries less than both sides could. */
async function benchLink(server: Server, rows: number): Promise<void> {
  const link = await openLink(server, LINK);
  const { copy, ours } = await alternate(ROUNDS, {
    copy: () => timed(rows, () => copyToNowhere(link.server, "binary")),
    ours: () => extract(sourceOf("postgres", link.server), "public", rows),
  }).finally(link.stop);
  const rates = (runs: Run[]) => runs.map(({ rowsPerSecond }) => rowsPerSecond);
  printTable(
    `The same table over a link of ${LINK.bytesPerSecond / 1e6} MB/s a connection, ${LINK.roundTripMs} ms there and back`,
    ["", "k rows/s", "of one COPY"],
    [
      [NAMES.binary, thousands(rates(copy!)), "1.00"],
      [NAMES.ours, thousands(rates(ours!)), fixed(ratio(rates(ours!), rates(copy!)), 2)],
    ],
  );
}

async function benchMariadb(client: Client, server: Server, folder: string, rows: number): Promise<void> {
  const results = await alternate(ROUNDS, {
    client: () => timed(rows, () => selectToNowhere(client, server, folder)),
    ours: () => extract(sourceOf("mysql", server), DATABASE, rows),
  });
  const [theirs, ours] = [results.client, results.ours].map((runs) =>
    runs.map(({ rowsPerSecond }) => rowsPerSecond),
  ) as [number[], number[]];
  printTable(
    `MariaDB, the same table`,
    ["", "k rows/s", "of its client"],
    [
      ["mariadb --quick --batch to nowhere", thousands(theirs), "1.00"],
      ["extraction to Parquet parts", thousands(ours), fixed(ratio(ours, theirs), 2)],
    ],
  );
  sayTaken(results.ours, rows);
  sayAim("of its client", ratio(ours, theirs), AIMS.mariadb);
}

/** In a process of its own, so that its memory and CPU are its own. */
async function extract(source: Source, schema: string, rows: number): Promise<Run> {
  const taken = JSON.parse(
    await runProgram(process.execPath, [once, JSON.stringify(source), schema, TABLE], { HOSTS_ALLOWED: "loopback" }),
  ) as Taken;
  if (taken.rows !== rows) throw new Error(`${taken.rows} rows were extracted, and ${rows} are there.`);
  return { rowsPerSecond: taken.rows / (taken.ms / 1_000), cpuMs: taken.cpuMs, taken };
}

async function timed(count: number, run: () => Promise<void>): Promise<Run> {
  const startedAt = performance.now();
  await run();
  return { rowsPerSecond: count / ((performance.now() - startedAt) / 1_000) };
}

const thousands = (rates: number[]) => fixed(median(rates) / 1_000, 0);

function sayTaken(runs: Run[], rows: number): void {
  const of = (pick: (taken: Taken) => number) => median(runs.map(({ taken }) => pick(taken!)));
  const megabytes = of(({ bytes, ms }) => bytes / 1e6 / (ms / 1_000));
  say(
    `Extraction: ${fixed(megabytes, 0)} MB/s off the wire, ${fixed(
      of(({ cpuMs }) => cpuMs / 1_000 / (rows / 1e6)),
      2,
    )} CPU-s per million rows, of them ${fixed(
      of(({ threadCpuMs }) => threadCpuMs / 1_000 / (rows / 1e6)),
      2,
    )} on the reading thread.`,
  );
  const peakMb = of((taken) => taken.peakMb);
  say(
    `Peak memory ${fixed(peakMb, 0)} MB; aim: below ${AIMS.memoryMb}: ` +
      `${peakMb < AIMS.memoryMb ? "reached" : "missed"}. Load of the machine ${machineLoad()}.`,
  );
}

const sayAim = (what: string, reached: number, aim: number): void =>
  say(`Aim: at least ${aim} ${what}; it is ${fixed(reached, 2)}: ${reached >= aim ? "reached" : "missed"}.`);
