// A large table of PostgreSQL is read by ranges of its pages, several sessions beside each other.

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresSnapshot } from "../../../../containers/engine/sources/postgres/extraction/snapshot.ts";
import { RANGED_PAGES_MIN } from "../../../../containers/engine/sources/postgres/extraction/copy/read-rows.ts";
import { CHUNK_ROWS } from "../../../../containers/engine/extract/vector-column.ts";
import { connectPostgres, ownPostgres, postgresSource } from "../../../support/node/sources/sources.ts";
import { ExtractionBench, never, readBack } from "../../../support/node/sources/extraction.ts";

const source = postgresSource(ownPostgres());
const LARGE = { schema: "pages", name: "large" };
const ROWS_MAX = 10_000;

let bench: ExtractionBench;
let admin: pg.Client;
let rows: number;
let pages: number;

beforeAll(async () => {
  [bench, admin] = await Promise.all([ExtractionBench.open(), connectPostgres(ownPostgres())]);
  // A page has room for two rows by its fill factor, so that few rows make many pages. Statistics never came.
  await query(`
    DROP SCHEMA IF EXISTS pages CASCADE; CREATE SCHEMA pages;
    CREATE UNLOGGED TABLE pages.large (id int, label text, share float8)
      WITH (fillfactor = 10, autovacuum_enabled = false);
    INSERT INTO pages.large
      SELECT i, repeat(chr(97 + i % 26), 300) || i, i * 0.5 FROM generate_series(1, ${2 * RANGED_PAGES_MIN + 12_000}) i`);
  const [counted] = await query(
    "SELECT count(*), pg_relation_size('pages.large') / current_setting('block_size')::int FROM pages.large",
  );
  [rows, pages] = counted!.map(Number) as [number, number];
});
afterAll(async () => {
  await admin.query("DROP SCHEMA pages CASCADE; DROP ROLE IF EXISTS pages_reader");
  await admin.end();
  await bench.close();
});

/** Asks in a session of its own, whose looks at pages the server has counted by its end. */
async function query(sql: string): Promise<string[][]> {
  const client = await connectPostgres(ownPostgres());
  try {
    return (await client.query<string[]>({ text: sql, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

const SUMS = "SELECT count(*), count(DISTINCT id), sum(id), sum(length(label))";

/** What the server counts of the table now. */
const sums = async (): Promise<string[]> => (await query(`${SUMS} FROM pages.large`))[0]!;

const SLOW = Infinity;
const FAST = 0;

/** Extracts the table from a source that is held to be slow, or fast, whatever this machine is. */
async function extract(
  slowBytesPerSecond: number,
  more: Parameters<ExtractionBench["extract"]>[2] = {},
  from = source,
) {
  const snapshot = await PostgresSnapshot.open(from.credentials, "fjord extract", never(), slowBytesPerSecond);
  try {
    return await bench.extract(snapshot, LARGE, more);
  } finally {
    await snapshot.close();
  }
}

/** The server processes that copy rows out to an extraction, or have done so and take the next range. */
const copying = async (): Promise<number[]> => {
  const { rows: found } = await admin.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'fjord extract' AND query ~ '^COPY'",
  );
  return found.map(({ pid }) => pid);
};

const sessions = async (): Promise<number> => {
  const { rows: found } = await admin.query("SELECT FROM pg_stat_activity WHERE application_name = 'fjord extract'");
  return found.length;
};

/** How often the server has looked at a page of the table since it was made. */
const looks = async (): Promise<number> => {
  const { rows: found } = await admin.query<{ looks: string }>(
    "SELECT heap_blks_read + heap_blks_hit AS looks FROM pg_statio_user_tables WHERE relname = 'large'",
  );
  return Number(found[0]!.looks);
};

/** Looks again and again until `work` has settled, and returns the most that was seen. */
async function mostDuring<T>(work: Promise<T>, look: () => Promise<number>): Promise<[T, number]> {
  let isOver = false;
  const over = () => (isOver = true);
  work.then(over, over);
  let most = 0;
  while (!isOver) most = Math.max(most, await look());
  return [await work, most];
}

describe("a table of several ranges", () => {
  it("is read by several sessions, each page once", async () => {
    const expected = await sums();
    const before = await looks();
    const reading = extract(SLOW, { partRowsMax: ROWS_MAX });
    const [{ files, parts, rows: read }, most] = await mostDuring(reading, async () => (await copying()).length);
    expect(most).toBeGreaterThan(1);
    expect(read).toBe(rows);
    expect(await readBack(files, `${SUMS} FROM t`)).toEqual([expected]);
    // A part that is full may have a chunk of each other reader's yet.
    for (const part of parts) expect(part.rows).toBeLessThan(ROWS_MAX + 4 * CHUNK_ROWS);
    // No plan looked at pages of other ranges.
    await expect.poll(async () => (await looks()) - before).toBeGreaterThanOrEqual(pages);
    expect((await looks()) - before).toBeLessThan(pages * 1.5);
    expect(await bench.filesLeft()).toEqual([]);
  });

  it("is read as its snapshot saw it, whatever is written meanwhile", async () => {
    const expected = await sums();
    const snapshot = await PostgresSnapshot.open(source.credentials, "fjord extract", never(), SLOW);
    try {
      const table = await snapshot.describe(LARGE, never());
      await admin.query(`
        DELETE FROM pages.large WHERE id % 3 = 0;
        UPDATE pages.large SET label = 'moved' WHERE id % 3 = 1;
        INSERT INTO pages.large SELECT -i, 'new', 0 FROM generate_series(1, 5000) i`);
      const writing = admin.query("UPDATE pages.large SET label = label || '!' WHERE id % 5 = 0");
      const { files } = await bench.extract(snapshot, table, { partRowsMax: ROWS_MAX });
      await writing;
      expect(await readBack(files, `${SUMS} FROM t`)).toEqual([expected]);
    } finally {
      await snapshot.close();
    }
    const { files } = await bench.extract(source, LARGE);
    expect(await readBack(files, `${SUMS} FROM t`)).toEqual([await sums()]);
  });

  it("that comes fast is read by one session, whole", async () => {
    const [{ files }, most] = await mostDuring(extract(FAST), async () => (await copying()).length);
    expect(most).toBe(1);
    expect(await readBack(files, `${SUMS} FROM t`)).toEqual([await sums()]);
  });

  it("holds two parts in memory while the first is used, however many sessions read", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const partRowsMax = 5 * CHUNK_ROWS;
    let read = 0;
    const reading = extract(SLOW, { partRowsMax, onPart: () => held, onProgress: (rowsRead) => (read = rowsRead) });
    await expect.poll(() => read).toBeGreaterThanOrEqual(2 * partRowsMax);
    // Whoever does not wait has time to read on.
    await sleep(300);
    expect(read).toBeLessThanOrEqual(2 * partRowsMax + 4 * CHUNK_ROWS);
    release();
    expect((await reading).rows).toBe(Number((await sums())[0]));
  });

  it("is read without a table that becomes its heir meanwhile", async () => {
    await query(`
      CREATE UNLOGGED TABLE pages.heir (LIKE pages.large) WITH (fillfactor = 10);
      INSERT INTO pages.heir SELECT * FROM pages.large LIMIT 20000`);
    const rowsBefore = Number((await sums())[0]);
    let inheriting: Promise<unknown> | undefined;
    const onPart = async () => void (await (inheriting ??= admin.query("ALTER TABLE pages.heir INHERIT pages.large")));
    const { rows: read } = await extract(SLOW, { partRowsMax: CHUNK_ROWS, onPart });
    expect(read).toBe(rowsBefore);
    await query("DROP TABLE pages.heir");
  });

  it("gives a session of its helpers to another reader where the server has no more", async () => {
    const three = postgresSource(ownPostgres(), { username: "pages_three", password: "pass" });
    await admin.query(`
      DROP ROLE IF EXISTS pages_three; CREATE ROLE pages_three LOGIN PASSWORD 'pass' CONNECTION LIMIT 3;
      GRANT USAGE ON SCHEMA pages TO pages_three; GRANT SELECT ON pages.large TO pages_three`);
    const snapshot = await PostgresSnapshot.open(three.credentials, "fjord extract", never(), SLOW);
    try {
      let other: Promise<unknown> | undefined;
      const describeOther = async (): Promise<number> => {
        const { length } = await copying();
        if (length > 1) other ??= snapshot.describe(LARGE, never());
        return length;
      };
      const [{ files }] = await mostDuring(bench.extract(snapshot, LARGE, { partRowsMax: ROWS_MAX }), describeOther);
      expect(await other).toMatchObject(LARGE);
      expect(await readBack(files, `${SUMS} FROM t`)).toEqual([await sums()]);
    } finally {
      await snapshot.close();
      await admin.query("DROP OWNED BY pages_three; DROP ROLE pages_three");
    }
  });

  it("is read by one session where the server gives no more", async () => {
    await admin.query(`
      CREATE ROLE pages_reader LOGIN PASSWORD 'pass' CONNECTION LIMIT 2;
      GRANT USAGE ON SCHEMA pages TO pages_reader; GRANT SELECT ON pages.large TO pages_reader`);
    const limited = postgresSource(ownPostgres(), { username: "pages_reader", password: "pass" });
    const [{ files }, most] = await mostDuring(extract(SLOW, {}, limited), async () => (await copying()).length);
    expect(most).toBe(1);
    expect(await readBack(files, `${SUMS} FROM t`)).toEqual([await sums()]);
  });

  it("is not read for whole where one of its sessions is lost, and the others end", async () => {
    let isKilled = false;
    const kill = async (): Promise<number> => {
      const pids = await copying();
      if (pids.length > 1 && !isKilled) {
        isKilled = true;
        await admin.query("SELECT pg_terminate_backend($1)", [Math.max(...pids)]);
      }
      return pids.length;
    };
    await expect(mostDuring(extract(SLOW, { partRowsMax: ROWS_MAX }), kill)).rejects.toMatchObject({
      code: "source_unavailable",
    });
    await expect.poll(sessions).toBe(0);
    expect(await bench.filesLeft()).toEqual([]);
  });

  it("ends all its sessions when it is cancelled", async () => {
    const cancelling = new AbortController();
    const reason = new Error("cancelled");
    const cancel = async (): Promise<number> => {
      const { length } = await copying();
      if (length > 1) cancelling.abort(reason);
      return length;
    };
    const reading = extract(SLOW, { partRowsMax: ROWS_MAX, signal: cancelling.signal });
    await expect(mostDuring(reading, cancel)).rejects.toBe(reason);
    await expect.poll(sessions).toBe(0);
    expect(await bench.filesLeft()).toEqual([]);
  });

  it("tells where one of its ranges has a value that the lake's type can't hold", async () => {
    await admin.query(`
      CREATE UNLOGGED TABLE pages.odd (id int, amount numeric(10, 2), label text)
        WITH (fillfactor = 10, autovacuum_enabled = false);
      INSERT INTO pages.odd SELECT i, i, repeat('x', 500) FROM generate_series(1, ${RANGED_PAGES_MIN + 100}) i;
      INSERT INTO pages.odd VALUES (0, 'NaN', 'the last row of the last range')`);
    await expect(bench.extract(source, { schema: "pages", name: "odd" })).rejects.toMatchObject({ column: "amount" });
    await expect.poll(sessions).toBe(0);
  });
});
