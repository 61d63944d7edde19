// Clients read for a minute while the table changes, snapshots expire, and files and metadata that nothing names are
// deleted: they see no wrong row, and no object is missing. READ_MINUTES lets all of them read together for so long.

import { rm } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { call, type Integration } from "../e2e/client.ts";
import { ageState } from "../support/node/engines/age-state.ts";
import { DUCKDB, PYICEBERG, SPARK, TRINO, type ClientKind } from "../support/node/engines/clients.ts";
import type { Engine } from "../support/node/engines/engine-client.ts";
import { maintain, snapshotsOf, type Maintained } from "../support/node/engines/history.ts";
import { flawOf, LEDGER, openLedger } from "../support/node/engines/ledger.ts";
import { loadTable } from "../support/node/engines/storage.ts";
import { copyState, startPlatform, type Platform } from "../support/node/platform/platform.ts";

const { READ_MINUTES } = process.env;
const READ_MS = Number(READ_MINUTES ?? 1) * 60_000;
/** A client that is slow beside other work reads for so much longer. */
const READ_LONGER_MS = 180_000;
const READS_MIN = 4;
/** Longer than clients take to start, so that something becomes due while they read. */
const DUE_WITHIN_MS = READ_MS + 120_000;
const READERS: readonly (readonly [string, readonly ClientKind[]])[] = READ_MINUTES
  ? [["DuckDB, PyIceberg, Trino and Spark", [TRINO, SPARK]]]
  : [
      ["DuckDB and PyIceberg", []],
      ["DuckDB, PyIceberg and Trino", [TRINO]],
      ["DuckDB, PyIceberg and Spark", [SPARK]],
    ];
const CHANGES_OF_AN_ERA = 20 * Math.ceil(READ_MS / 60_000);
/** Longer than snapshots are kept, and than files are that nothing reads. */
const DAYS_BETWEEN_ERAS = 40;
const READ_BACK = 8;

let state: string;
let platform: Platform;
let lake: string;
const options = () => ({ baseUrl: platform.baseUrl, key: platform.key });
const ledger = openLedger(options);

/**
 * Changes of the table, each loaded by the catalog, and one maintenance after them; then weeks pass, until what there
 * is becomes due one after the other.
 */
async function passAnEra(dueWithinMs: number): Promise<void> {
  for (let change = 0; change < CHANGES_OF_AN_ERA; change++) {
    await ledger.change();
    await loadTable(lake, LEDGER, options());
  }
  await maintain(lake, options());
  await platform.stop();
  await ageState(state, DAYS_BETWEEN_ERAS, dueWithinMs);
  platform = await startPlatform({ state });
}

beforeAll(async () => {
  state = await copyState(inject("seed"));
  platform = await startPlatform({ state });
  const lakes = await call<{ data: Integration[] }>("GET", "/v1/api/integrations?type=lake", options());
  lake = lakes.body.data[0]!.id;
  await ledger.create();
  await passAnEra(0);
}, 600_000 + READ_MS);
// Snapshots of this era expire in the minute, and what the maintenance at its end has scheduled is deleted.
beforeEach(() => passAnEra(DUE_WITHIN_MS), 300_000 + READ_MS);
afterAll(async () => {
  await platform?.stop();
  await rm(state, { recursive: true, force: true, maxRetries: 5 });
});

it.each(READERS)("%s", { timeout: 600_000 + READ_MS + READ_LONGER_MS }, async (_, more) => {
  const kinds: ClientKind[] = [DUCKDB, PYICEBERG, ...more];
  const { config } = await loadTable(lake, LEDGER, options());
  const catalogs = { lake: { ...options(), warehouse: lake } };
  const engines: Engine[] = [];
  const flaws: string[] = [];
  const reads = kinds.map(() => 0);
  const maintained: Maintained[] = [];
  const before = ledger.changes();
  let [endsAt, expired] = [0, 0];
  const isOver = (): boolean =>
    Date.now() > endsAt + READ_LONGER_MS || (Date.now() > endsAt && reads.every((count) => count >= READS_MIN));
  const until = async (work: () => Promise<void>): Promise<void> => {
    while (!isOver() && flaws.length === 0) await work().catch((error: Error) => void flaws.push(error.message));
  };
  const readOnce = async (index: number): Promise<void> => {
    const client = engines[index]!.of("lake");
    const listed = async (): Promise<number[]> => (await snapshotsOf(lake, LEDGER, options())).all;
    const past = (await listed()).slice(-READ_BACK)[reads[index]! % READ_BACK];
    for (const snapshot of [undefined, past]) {
      const flaw = await client.read(LEDGER, snapshot).then(flawOf, async (error: Error) => {
        // A client that is slow may ask for a snapshot which has expired since it was listed.
        if (snapshot === undefined || (await listed()).includes(snapshot)) return error.message;
        expired += 1;
        return undefined;
      });
      if (flaw) flaws.push(`${kinds[index]!.name} read at ${snapshot ?? "now"}: ${flaw}`);
    }
    reads[index]! += 1;
  };
  try {
    for (const kind of kinds) engines.push(await kind.start(inject("clients"), catalogs, config["s3.endpoint"]!));
    await engines[1]!.of("lake").hold(LEDGER);
    endsAt = Date.now() + READ_MS;
    await Promise.all([
      until(() => ledger.change()),
      until(async () => void maintained.push(await maintain(lake, options()))),
      ...kinds.map((_, index) => until(() => readOnce(index))),
    ]);
    // A snapshot that was loaded before may have expired since; its files are kept.
    const held = flawOf(await engines[1]!.of("lake").readHeld(LEDGER));
    if (held) flaws.push(`PyIceberg read what it held: ${held}`);
  } finally {
    for (const engine of engines) await engine.stop();
  }
  const steps = maintained.flatMap(({ progress }) => progress.steps);
  const done = (step: string): number =>
    steps.filter((each) => each.step === step).reduce((sum, each) => sum + each.done, 0);
  console.log(
    `${kinds.map(({ name }, index) => `${name} read ${reads[index]} times`).join(", ")}; ` +
      `${ledger.changes() - before} commits, ${maintained.length} maintenances, ` +
      `${done("expire")} snapshots expired, ${done("delete")} files deleted, ${done("merge")} merged; ` +
      `${expired} reads of a snapshot that had expired meanwhile`,
  );
  expect(flaws).toEqual([]);
  for (const count of reads) expect(count).toBeGreaterThanOrEqual(READS_MIN);
  expect(ledger.changes() - before).toBeGreaterThan(10);
  expect(done("expire")).toBeGreaterThan(0);
  expect(done("delete")).toBeGreaterThan(0);
});
