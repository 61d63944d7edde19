// This benchmark measures the bytes and the time of a cold query of 2 of 12 columns, beside fetching the whole file and
// asking bare DuckDB.

import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import { ObjectStore } from "../../../containers/program/object-store.ts";
import { column, TestLake } from "../../../test/support/node/lake/test-lake.ts";
import { alternate, fixed, machineLoad, median, printTable, say, timed } from "../support/measure.ts";

const ROWS = 2_000_000;
const ROUNDS = 5;
/** To a bucket in the same region, until the first byte. */
const LATENCY_MS = 20;
const AIM = 1.15;

const TYPES = [
  "int64",
  "int32",
  "date",
  "decimal(15,2)",
  "varchar",
  "varchar",
  "float64",
  "int64",
  "timestamp",
  "varchar",
  "boolean",
  "int32",
];
const COLUMNS = TYPES.map((type, i) => column(i + 1, `c${i + 1}`, type));
const SELECT = `SELECT r AS c1, (hash(r) % 50000)::INTEGER AS c2, DATE '2022-01-01' + (r // 4000)::INTEGER AS c3,
  ((hash(r, 1) % 10000000) / 100)::DECIMAL(15,2) AS c4,
  'note ' || (hash(r, 2) % 100000)::VARCHAR AS c5, substr(md5(r::VARCHAR), 1, 16) AS c6,
    (hash(r, 3) % 1000003) / 7 AS c7, (hash(r, 4) >> 1)::BIGINT AS c8,
  TIMESTAMP '2022-01-01' + INTERVAL (r) SECOND AS c9, ['new', 'paid', 'sent'][1 + (hash(r, 5) % 3)::INTEGER] AS c10,
    hash(r, 6) % 2 = 0 AS c11, (hash(r, 7) % 99999)::INTEGER AS c12
  FROM range(${ROWS}) AS t(r)`;
const PATH = "wide.parquet";

const QUERIES: Record<string, { sql: string; columns: string[] }> = {
  "sum by a filter": { sql: "SELECT sum(c4) AS s FROM wide WHERE c12 < 5000", columns: ["c4", "c12"] },
  "group by": { sql: "SELECT c10, avg(c7) AS a FROM wide GROUP BY c10 ORDER BY c10", columns: ["c7", "c10"] },
  "one day of many": { sql: "SELECT sum(c4) AS s FROM wide WHERE c3 = DATE '2022-06-01'", columns: ["c3", "c4"] },
};

export async function reportColumns(): Promise<void> {
  const lake = await TestLake.open();
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-columns-"));
  try {
    await lake.write(
      PATH,
      SELECT,
      COLUMNS.map(({ id, name }) => `${name}: ${id}`).join(", "),
      ", COMPRESSION zstd, COMPRESSION_LEVEL 1",
    );
    lake.platform.addTable("main", "wide", COLUMNS, [{ path: PATH }]);
    lake.platform.onGet = () => delay(LATENCY_MS);
    const { size } = await stat(join(lake.platform.directory, PATH));
    await lake.rows("SELECT 1 AS one");
    const lines: string[][] = [];
    let turn = 0;
    let missed = 0;
    for (const [name, { sql, columns }] of Object.entries(QUERIES)) {
      const wanted = await lake.chunkBytes(PATH, columns);
      const before = lake.platform.bytesRead;
      await lake.rows(sql, { grant: { lakeId: `counted-${++turn}` } });
      const moved = lake.platform.bytesRead - before;
      if (moved > AIM * wanted) missed++;
      const results = await alternate(ROUNDS, {
        // Under another lake's name nothing is on disk yet.
        ours: () => timed(() => lake.rows(sql, { grant: { lakeId: `cold-${++turn}` } })),
        whole: () => timed(() => askWhole(lake, sql, join(folder, `${++turn}.parquet`), size)),
      });
      lines.push([
        name,
        ...[moved, wanted, size].map((bytes) => fixed(bytes / 1e6, 2)),
        fixed(moved / wanted, 3),
        fixed(median(results.ours), 0),
        fixed(median(results.whole), 0),
      ]);
    }
    printTable(
      `Lake, cold: 2 of 12 columns of ${ROWS / 1e6} million rows, ${LATENCY_MS} ms to each first byte, medians ` +
        `of ${ROUNDS} alternating rounds`,
      [
        "",
        "MB moved",
        "MB of the chunks",
        "MB of the file",
        "moved / chunks",
        "ms, ours",
        "ms, whole file and bare DuckDB",
      ],
      lines,
    );
    say(
      `Aim: at most ${AIM}× the bytes of the chunks. Missed ${missed} of ${lines.length}. Load ` +
        `of the machine ${machineLoad()}.`,
    );
  } finally {
    await lake.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function askWhole({ platform }: TestLake, sql: string, file: string, bytes: number): Promise<void> {
  const url = `http://bucket.invalid/bucket/${PATH}`;
  await new ObjectStore(platform.host).download({ url, file, bytes, signal: AbortSignal.timeout(60_000) });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`CREATE VIEW wide AS FROM '${file}'`);
  await connection.runAndReadAll(sql);
  connection.closeSync();
  instance.closeSync();
  await rm(file);
}
