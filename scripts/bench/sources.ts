// This benchmark measures how fast each kind of source is read, by a query and by a sync's extraction, beside its
// vendor's bare driver, and PostgreSQL beside other tools; and what the drivers cost an engine that uses none.

import { fileURLToPath } from "node:url";
import { startEngine } from "../../test/support/node/programs/engine.ts";
import { alternate, fixed, machineLoad, median, printTable, ratio, say, timed } from "./support/measure.ts";
import { runProgram } from "./support/program.ts";
import { installedSize } from "./sources/installed-size.ts";
import { PLACES, type Place } from "./sources/places.ts";
import type { Order, Read } from "./sources/read-once.ts";
import { openTools } from "./sources/tools.ts";

const ROWS_USUAL = 1_000_000;
const ROUNDS = 3;
const STARTS = 5;
const AIM = 0.7;
const WAYS = ["driver", "query", "extraction"] as const;
const NAMES: Record<(typeof WAYS)[number], string> = {
  driver: "bare driver",
  query: "query, as rows of text",
  extraction: "extraction to Parquet parts",
};
/** What was added for kinds of source, beside what PostgreSQL and MySQL need. */
const ADDED = ["tedious", "snowflake-sdk"];
const once = fileURLToPath(new URL("sources/read-once.ts", import.meta.url));

export async function benchSources({ rows = ROWS_USUAL }: { rows?: number } = {}): Promise<void> {
  for (const open of PLACES) {
    const place = await open(rows);
    try {
      await benchPlace(place);
    } finally {
      await place.stop();
    }
  }
  await benchStart();
  await saySizes();
}

async function benchPlace(place: Place): Promise<void> {
  // A fake gives its tokens out to the first who asks, which a bare driver can't: it asks elsewhere.
  await readOnce(place, "query");
  const { tools, stop } = await openTools(place);
  const ours = Object.fromEntries(WAYS.map((way) => [NAMES[way], () => readOnce(place, way)]));
  const others = Object.fromEntries(tools.map(({ name, read }) => [name, read]));
  const results = await alternate(ROUNDS, { ...ours, ...others }).finally(stop);
  const rates = (name: string) => results[name]!.map(({ rows, ms }) => rows / (ms / 1_000));
  const perMillion = (name: string) => median(results[name]!.map(({ rows, cpuMs }) => (cpuMs * 1_000) / rows));
  printTable(
    `${place.name}, ${place.rows.toLocaleString("en")} rows of 8 columns, medians of ${ROUNDS} alternating rounds`,
    ["", "k rows/s", "of the driver", "CPU s a million rows", "peak MB"],
    Object.keys(results).map((name) => [
      name,
      fixed(median(rates(name)) / 1_000, 0),
      fixed(ratio(rates(name), rates(NAMES.driver)), 2),
      fixed(perMillion(name), 2),
      fixed(median(results[name]!.map(({ peakMb }) => peakMb)), 0),
    ]),
  );
  for (const way of ["query", "extraction"] as const) {
    const reached = ratio(rates(NAMES[way]), rates(NAMES.driver));
    say(`${way}: ${fixed(reached, 2)} of the driver; aim ${AIM}: ${reached >= AIM ? "reached" : "missed"}.`);
  }
  for (const { name } of tools)
    say(
      `The extraction is ${fixed(ratio(rates(NAMES.extraction), rates(name)), 2)} as fast as ${name}, with ` +
        `${fixed(perMillion(NAMES.extraction) / perMillion(name), 2)} of its CPU.`,
    );
  say(`Load of the machine ${machineLoad()}.`);
}

/** In a process of its own, so that its memory is its own. */
async function readOnce({ source, sql, schema, table, rows, ...place }: Place, by: Order["by"]): Promise<Read> {
  const token = place.emulator?.token?.();
  const emulator = place.emulator && { url: place.emulator.url, ...(token === undefined ? {} : { token }) };
  const order: Order = { by, source, sql, schema, table, ...(emulator ? { emulator } : {}) };
  const environment = { HOSTS_ALLOWED: "loopback", ...place.environment };
  const read = JSON.parse(await runProgram(process.execPath, [once, JSON.stringify(order)], environment)) as Read;
  if (read.rows !== rows) throw new Error(`${by}: ${read.rows} rows were read, and ${rows} are there.`);
  return read;
}

async function benchStart(): Promise<void> {
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    let stop = async (): Promise<unknown> => undefined;
    const start = async () => {
      ({ stop } = await startEngine({ hostsAllowed: "loopback" }));
    };
    starts.push(await timed(start));
    await stop();
  }
  say("");
  say(`Engine, from its process's start until it listens: ${fixed(median(starts), 0)} ms, median of ${STARTS}.`);
}

async function saySizes(): Promise<void> {
  const [all, without] = await Promise.all([installedSize([]), installedSize(ADDED)]);
  say(
    `Its production packages: ${fixed(all.megabytes, 0)} MB in ${all.packages}; without ${ADDED.join(", ")} ` +
      `${fixed(without.megabytes, 0)} MB in ${without.packages}.`,
  );
}
