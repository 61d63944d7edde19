// Whole syncs, commits and all, in an engine's process of their own: a first run, several tables at once and in turn, a
// merge of little.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, connect, type AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Source } from "../../../kernel/wire/source.ts";
import type { Server } from "../../../test/support/node/servers/server.ts";
import type { Synced, SyncOrder } from "../../../test/support/node/sync/sync-once.ts";
import { fixed, machineLoad, printTable, say } from "../support/measure.ts";
import { connectPostgres, TABLE } from "./tables.ts";

const program = fileURLToPath(new URL("../../../test/support/node/sync/sync-once.ts", import.meta.url));
const PARTS = [1, 2, 3, 4];
const AIM = 0.8;

/** `csv`: the rows a second that COPY prints as CSV, measured just before. */
export async function benchSyncs(
  server: Server,
  source: Extract<Source, { type: "postgres" }>,
  { rows, csv }: { rows: number; csv: number },
): Promise<void> {
  const client = await connectPostgres(server);
  try {
    for (const part of PARTS) {
      await client.query(
        `CREATE UNLOGGED TABLE ${TABLE}_${part} AS
           SELECT * FROM ${TABLE} WHERE order_id % ${PARTS.length} = ${part - 1};
         ALTER TABLE ${TABLE}_${part} ADD PRIMARY KEY (order_id, line)`,
      );
    }
    const order = (syncId: string, ...tables: string[]): SyncOrder => ({ source, syncId, tables });
    const each = PARTS.map((part) => `public.${TABLE}_${part}`);
    const [whole] = await sync([[order("whole", `public.${TABLE}`)]]);
    const [together] = await sync([[order("parts", ...each)]]);
    const inTurn = await sync(each.map((table, i) => [order(`part_${i}`, table)]));
    const atOnce = await sync([each.map((table, i) => order(`part_${i}`, table))]);
    const line = (name: string, steps: Synced[]) => {
      const sum = (pick: (step: Synced) => number) => steps.reduce((total, step) => total + pick(step), 0);
      const [ms, most] = [sum((step) => step.ms), (pick: (step: Synced) => number) => Math.max(...steps.map(pick))];
      return [
        name,
        fixed(rows / ms, 0),
        fixed(sum((step) => step.cpuMs) / 1_000 / (rows / 1e6), 2),
        fixed(sum((step) => step.storeCpuMs) / 1_000 / (rows / 1e6), 2),
        fixed(
          most((step) => step.peakMb),
          0,
        ),
        fixed(
          most((step) => step.lagMs),
          0,
        ),
        fixed(
          most((step) => step.lagMsMean),
          1,
        ),
      ];
    };
    printTable(
      "Syncs from PostgreSQL into the lake, first runs",
      ["", "k rows/s", "CPU-s/M rows", "the store's", "peak MB", "longest turn, ms", "mean, ms"],
      [
        line("one table", [whole!]),
        line("its rows in four tables, one sync (two at once)", [together!]),
        line("the four tables in turn", inTurn),
        line("the four tables, four syncs at once", atOnce),
      ],
    );
    say("A turn is what a request to the engine waits before it is looked at.");
    const reached = (rows * 1_000) / whole!.ms / csv;
    say(
      `Aim: one table at least at ${AIM} of COPY csv to nowhere; it is ${fixed(reached, 2)}: ` +
        `${reached >= AIM ? "reached" : "missed"}.`,
    );
    sayStore(whole!);
    sayTimeline(whole!);
    await benchMerge(client, server, source, rows);
  } finally {
    await client.end();
  }
}

/** When a run of one table asked the platform for what: each ask follows the work before it. */
function sayTimeline({ ms, asks }: Synced): void {
  const first = (verb: string) => asks.find((ask) => ask.verb === verb)?.ms ?? NaN;
  const last = (verb: string) => asks.findLast((ask) => ask.verb === verb)?.ms ?? NaN;
  const moments = {
    "source open and listed": first("state"),
    "first file written": first("uploads"),
    "last file written": last("uploads"),
    "last file uploaded": first("commit"),
    committed: first("finish"),
    ended: ms,
  };
  const said = Object.entries(moments).map(([moment, at]) => `${moment} ${fixed(at, 0)}`);
  say(`Its moments, in ms since its start: ${said.join(", ")}.`);
}

/** The store runs on the sync's cores, as a platform's would not. */
function sayStore({ ms, cpuMs, storeCpuMs }: Synced): void {
  say(
    `The lake's store, a process of its own on the same cores: ${fixed((storeCpuMs / (cpuMs + storeCpuMs)) * 100, 1)} % ` +
      `of what both took of CPU, and busy for ${fixed((storeCpuMs / ms) * 100, 1)} % of the sync's time.`,
  );
}

async function benchMerge(
  client: Awaited<ReturnType<typeof connectPostgres>>,
  server: Server,
  source: Extract<Source, { type: "postgres" }>,
  rows: number,
): Promise<void> {
  const meter = await meterOf(server);
  try {
    const order: SyncOrder = {
      source: { ...source, credentials: { ...source.credentials, port: String(meter.port) } },
      syncId: "merge",
      tables: [`public.${TABLE}`],
    };
    const newest = `order_id > ${Math.floor(rows / 4) - Math.floor(rows / 400)}`;
    // The run after a full read, or after one that found keys gone, reads all keys; the others go by the server's sum.
    const steps: { name: string; change?: string }[] = [
      { name: "first run" },
      { name: "nothing changed, the second run" },
      { name: "1 % changed, all over", change: `UPDATE ${TABLE} SET price = price + 1 WHERE order_id % 100 = 7` },
      { name: "nothing changed" },
      {
        name: "1 % changed, the newest, and four rows gone",
        change: `UPDATE ${TABLE} SET price = price + 1 WHERE ${newest};
           DELETE FROM ${TABLE} WHERE order_id = ${Math.floor(rows / 4)}`,
      },
      { name: "nothing changed, after rows were gone" },
    ];
    let firstMs = NaN;
    const lines: string[][] = [];
    let bytesBefore = 0;
    const report = (name: string, { ms, bytesFetched, outcomes: [outcome] }: Synced): void => {
      const table = outcome!.progress.tables[0]!;
      if (lines.length === 0) firstMs = ms;
      lines.push([
        name,
        fixed(ms / 1_000, 2),
        fixed(ms / firstMs, 2),
        String(table.rowsRead),
        String(table.rowsWritten),
        megabytes(table.bytesWritten),
        megabytes(meter.bytes() - bytesBefore),
        megabytes(bytesFetched),
      ]);
      bytesBefore = meter.bytes();
    };
    const runs = steps.map(() => [order]);
    await sync(runs, async (step, synced) => {
      report(steps[step]!.name, synced);
      const change = steps[step + 1]?.change;
      if (change) await client.query(change);
    });
    printTable(
      "A merge's runs",
      [
        "",
        "s",
        "of a first run",
        "rows read",
        "rows written",
        "MB written",
        "MB off the source",
        "MB of the lake fetched",
      ],
      lines,
    );
    say(`Load of the machine ${machineLoad()}.`);
  } finally {
    meter.stop();
  }
}

const megabytes = (bytes: number): string => fixed(bytes / 1e6, 2);

/** Runs steps in one process; `after` each, before the next one begins. Throws where a sync fails. */
async function sync(
  steps: SyncOrder[][],
  after?: (step: number, synced: Synced) => Promise<unknown>,
): Promise<Synced[]> {
  const child = spawn(process.execPath, [program, JSON.stringify(steps)], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, HOSTS_ALLOWED: "loopback" },
  });
  const ended = once(child, "close");
  const results: Synced[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const synced = JSON.parse(line) as Synced;
    for (const { outcome, error } of synced.outcomes)
      if (outcome !== "succeeded") throw new Error(`A sync ended as ${outcome}: ${error}`);
    results.push(synced);
    await after?.(results.length - 1, synced);
    child.stdin.write("next\n");
  }
  await ended;
  if (results.length !== steps.length) throw new Error("The process that syncs ended early.");
  return results;
}

/** A proxy before the server that counts what the server sends. */
async function meterOf({ host, port }: Server): Promise<{ port: number; bytes(): number; stop(): void }> {
  let bytes = 0;
  const relay = createServer((inner) => {
    const outer = connect(port, host);
    outer.on("data", (chunk: Buffer) => void (bytes += chunk.length));
    inner
      .on("error", () => outer.destroy())
      .pipe(outer)
      .on("error", () => inner.destroy())
      .pipe(inner);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return { port: (relay.address() as AddressInfo).port, bytes: () => bytes, stop: () => void relay.close() };
}
