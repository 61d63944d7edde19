// A lake's maintenance beside DuckDB alone: how fast files are written anew, in how much memory, how many small ones
// become few, and how long snapshots take to expire.

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { alternate, fixed, machineLoad, median, printTable, ratio, say, timed } from "./support/measure.ts";
import { addFiles, MaintainedLake } from "./maintenance/maintained-lake.ts";
import { addSnapshots } from "./maintenance/snapshots.ts";

const ROUNDS = 3;
const MIB = 1024 * 1024;
const AIMS = { ratio: 0.8, expireMs: 10_000 };
/** What a maintenance's process may have at most: what it takes when idle, and `MEMORY_MB_MAX` of `RewriteProcess`. */
const MEMORY_BOUND_MB = 700 + 768;
const FILE_ROWS = 100_000;
const SIZES = [1_000_000, 4_000_000, 16_000_000];
const SMALL = { files: 5_000, rows: 200 };
const SNAPSHOTS = 10_000;

export async function benchMaintenance(): Promise<void> {
  console.log(`\nMaintenance, ${availableParallelism()} cores, load ${machineLoad()}`);
  await benchRewrite();
  await benchSizes();
  await benchSmallFiles();
  await benchExpiry();
}

/** The same files, by the whole job and by a bare COPY of local ones: of the usual form, and of one with deletes. */
async function benchRewrite(): Promise<void> {
  const rows: string[][] = [];
  for (const [title, deletes] of [
    ["40 files", 0],
    ["40 files, 10% of the rows deleted", 10],
  ] as const) {
    const ours: number[] = [];
    let bytes = 0;
    const bare = async (): Promise<number> => {
      const lake = await MaintainedLake.open();
      try {
        await addFiles(lake, { files: 40, rows: FILE_ROWS, deletes });
        bytes = lake.bytes();
        const theirs = await timed(() => copyBare(lake));
        const { ms } = await lake.maintain();
        ours.push(ms);
        return theirs;
      } finally {
        await lake.close();
      }
    };
    const { theirs } = await alternate(ROUNDS, { theirs: bare });
    const speed = (ms: number): string => fixed(bytes / MIB / (ms / 1_000));
    const share = 1 / ratio(ours, theirs);
    rows.push([
      title,
      fixed(bytes / MIB),
      speed(median(ours)),
      speed(median(theirs)),
      fixed(share, 2),
      verdict(share >= AIMS.ratio),
    ]);
  }
  printTable(
    `Written anew, with fetching, uploading and committing, beside a bare COPY (aim: a ratio of ${AIMS.ratio})`,
    ["", "MiB", "ours MiB/s", "DuckDB MiB/s", "ratio", ""],
    rows,
  );
}

/** DuckDB by itself, in this process, over the files on the disk, in the form that the job writes. */
async function copyBare(lake: MaintainedLake): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
  const connection = await instance.connect();
  const list = (paths: readonly string[]): string => paths.map((path) => `'${path}'`).join(", ");
  const { data, deletes } = lake.paths();
  const left = deletes.length
    ? ` ANTI JOIN read_parquet([${list(deletes)}]) AS d ON d.file_path = f.filename AND d.pos = f.file_row_number`
    : "";
  await connection.run(
    `COPY (SELECT f.* FROM read_parquet([${list(data)}], filename = true, file_row_number = true) AS f${left})
     TO '${join(lake.directory, "bare.parquet")}'
     (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE 122880)`,
  );
  connection.closeSync();
  instance.closeSync();
}

async function benchSizes(): Promise<void> {
  const rows: string[][] = [];
  for (const size of SIZES) {
    const lake = await MaintainedLake.open();
    try {
      await addFiles(lake, { files: size / FILE_ROWS, rows: FILE_ROWS, deletes: 5 });
      const bytes = lake.bytes();
      const { ms, peakMb, engineMb } = await lake.maintain();
      const isBounded = peakMb <= MEMORY_BOUND_MB;
      rows.push([
        `${size / 1e6} M rows`,
        fixed(bytes / MIB),
        fixed(ms / 1_000),
        fixed(peakMb, 0),
        fixed(engineMb, 0),
        verdict(isBounded),
      ]);
    } finally {
      await lake.close();
    }
  }
  printTable(
    `Memory at the peak (bound of the process: ${MEMORY_BOUND_MB} MB, held by the kernel)`,
    ["", "MiB", "s", "process MB", "engine grew by MB", ""],
    rows,
  );
}

async function benchSmallFiles(): Promise<void> {
  const lake = await MaintainedLake.open();
  try {
    await addFiles(lake, { ...SMALL, deletes: 0 });
    const bytes = lake.bytes();
    const { ms, files } = await lake.maintain();
    say("");
    say(
      `${SMALL.files} files of ${SMALL.rows} rows (${fixed(bytes / MIB)} MiB) became ${files} in one run, ` +
        `in ${fixed(ms / 1_000)} s: ${fixed(SMALL.files / (ms / 1_000), 0)} files/s. ${verdict(files === 1)}`,
    );
  } finally {
    await lake.close();
  }
}

async function benchExpiry(): Promise<void> {
  const lake = await MaintainedLake.open();
  try {
    await addSnapshots(lake, SNAPSHOTS);
    const { ms, expired, scheduled } = await lake.maintain("full");
    say(
      `${expired} snapshots expired and ${scheduled} files scheduled by a whole full maintenance in ` +
        `${fixed(ms / 1_000)} s (aim < ${AIMS.expireMs / 1_000} s). ${verdict(expired >= SNAPSHOTS && ms < AIMS.expireMs)}`,
    );
  } finally {
    await lake.close();
  }
}

const verdict = (isMet: boolean): string => (isMet ? "met" : "NOT MET");
