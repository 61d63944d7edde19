// This benchmark loads a table of many files as clients of the Iceberg catalog do: for the first time, after a commit,
// warm, and with the tag of what they have; it commits beside a client that polls, and has PyIceberg plan scans. The
// object is the real one, in bare workerd.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsOf, tableOf } from "./catalog/call.ts";
import { fillCatalog } from "./catalog/fill.ts";
import { benchPlanning } from "./catalog/planning.ts";
import { ServedCatalog } from "./catalog/served-catalog.ts";
import { alternate, fixed, machineLoad, median, printTable, ratio, say } from "./support/measure.ts";

const FILES = 10_000;
const COLUMNS = 16;
const TIMES = 50;
const COMMITS = 60;
const TABLE = tableOf(0);

type Load = Awaited<ReturnType<ServedCatalog["loadIceberg"]>>;

export async function benchIceberg({ files = FILES }: { files?: number }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-iceberg-"));
  const catalog = await ServedCatalog.start(folder);
  try {
    const holder = await catalog.takeLease();
    await fillCatalog(catalog, { files, tables: 1, columns: COLUMNS }, holder);
    const load = (times: number, etag: string | null = null, keepsObjects = false) =>
      catalog.loadIceberg({ ...TABLE, times, etag, keepsObjects });
    let firstFile = files;
    const commit = () =>
      catalog.append({ table: TABLE.name, columns: COLUMNS, ...holder, files: 1, firstFile: firstFile++ });
    const first = await load(1, null, true);
    const rows = [rowOf("first load", first)];
    await commit();
    rows.push(rowOf("after a commit of one file", await load(1)));
    const warm = await load(TIMES);
    rows.push(rowOf("warm", warm, TIMES), rowOf("304", await load(TIMES, warm.answer.etag), TIMES));
    printTable(
      `${files.toLocaleString("en-US")} files of ${COLUMNS} columns`,
      ["one load", "CPU ms", "ms", "rows read", "objects written", "MiB written", "KiB answered"],
      rows,
    );

    const { alone, polled } = await alternate(COMMITS, {
      alone: async () => (await commit()).ms,
      async polled() {
        await load(1);
        return (await commit()).ms;
      },
    });
    say(
      `A commit takes ${fixed(median(alone))} ms alone, ${fixed(ratio(polled, alone), 2)} of it after a client's load.`,
    );
    await benchPlanning(first.answer, join(folder, "planning"), files);
    say(`The load of the machine is ${machineLoad()}: milliseconds of CPU are comparable, those of the clock are not.`);
  } finally {
    await catalog.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf(name: string, { cpuMs, ms, statements, answer }: Load, times = 1): string[] {
  const { read } = rowsOf(statements);
  return [
    `${name}${answer.isWhole ? "" : " (no document)"}`,
    fixed(cpuMs / times),
    fixed(ms / times),
    fixed(read / times, 0),
    fixed(answer.objects / times, 0),
    fixed(answer.bytes / times / 2 ** 20, 2),
    fixed(answer.documentBytes / 2 ** 10, 1),
  ];
}
