// This benchmark fills a lake's catalog with files, by commits like those of engines, and measures what readers,
// writers and maintenance ask of it: the real object in bare workerd. `--files <n>` says how many files, in one table
// and then spread over many.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsOf, tableOf } from "./catalog/call.ts";
import { maintenanceCalls, readCalls, type NamedCall } from "./catalog/calls.ts";
import { fillCatalog, type Filled, type Shape } from "./catalog/fill.ts";
import { ServedCatalog, type Measured } from "./catalog/served-catalog.ts";
import { fixed, machineLoad, printTable, say } from "./support/measure.ts";

/** So many that one plan still takes them all. */
const FILES = 90_000;
const COLUMNS = 10;
/** By then every snapshot but the last twenty has expired. */
const LATER_MS = 90 * 86_400_000;

export async function benchCatalog({ files = FILES }: { files?: number }): Promise<void> {
  await benchShape("one table", { files, tables: 1, columns: COLUMNS });
  await benchShape("a thousand tables", { files, tables: 1_000, columns: COLUMNS });
}

async function benchShape(name: string, shape: Shape): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-catalog-"));
  const catalog = await ServedCatalog.start(folder);
  try {
    const holder = await catalog.takeLease();
    reportFilling(name, shape, await fillCatalog(catalog, shape, holder));
    const rows: string[][] = [];
    const measure = async ({ name: call, method, given }: NamedCall) =>
      rows.push(rowOf(call, await catalog.measure(method, ...given)));
    const file = { table: tableOf(0).name, columns: shape.columns, ...holder };
    for (const count of [1, 1, 100])
      rows.push(
        rowOf(`commit of ${count}`, await catalog.append({ ...file, files: count, firstFile: 10 * shape.files })),
      );
    const head = await catalog.head();
    const first = { head, tableId: 1, files: shape.files / shape.tables };
    for (const call of [...readCalls(first), ...maintenanceCalls(holder)]) await measure(call);
    rows.push(rowOf("overwrite of one table", await catalog.overwrite(tableOf(0), holder)));
    // The overwrite is the one snapshot that stays.
    await catalog.ask("setOption", "retain_last", "1");
    await catalog.releaseLease(holder);
    for (let step = 1; step <= 2; step++)
      await measure({ name: `expiry, step ${step}`, method: "expireDue", given: [Date.now() + LATER_MS] });
    printTable(
      `${shape.files.toLocaleString("en-US")} files of ${shape.columns} columns in ${name}`,
      ["", "CPU ms", "ms", "rows read", "written", "answer MB", "memory +MB"],
      rows,
    );
    say(`The load of the machine is ${machineLoad()}: milliseconds of CPU are comparable, those of the clock are not.`);
  } finally {
    await catalog.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function reportFilling(name: string, { files }: Shape, { commit, databaseBytes }: Filled): void {
  printTable(
    `Filling a catalog of ${name}`,
    ["", "files", "CPU ms", "ms", "rows written", "bytes of the catalog a file"],
    [
      [
        "the last commit",
        String(commit.files),
        fixed(commit.measured.cpuMs, 0),
        fixed(commit.measured.ms, 0),
        String(rowsOf(commit.measured.statements).written),
        fixed(databaseBytes / files, 0),
      ],
    ],
  );
}

function rowOf(call: string, measured: Measured): string[] {
  const { cpuMs, ms, answerBytes, memoryMb, error, refused, statements } = measured;
  const { read, written } = rowsOf(statements);
  const why = error ?? refused;
  return [
    why === null ? call : `${call} (${why})`,
    fixed(cpuMs, 0),
    fixed(ms, 0),
    String(read),
    String(written),
    fixed(answerBytes / 1e6, 2),
    fixed(memoryMb, 0),
  ];
}
