// Databases that lie: what real servers said, spoilt in thousands of ways. Each ends in an answer made of what was
// sent, or in a failure in words; never in memory of ours, a hang, or a fault of the engine's own.

import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Failure } from "../../../containers/engine/core/failure.ts";
import { createWriter } from "../../../containers/engine/formats/writers.ts";
import type { Row } from "../../../containers/engine/formats/result.ts";
import { extractInto } from "../../../containers/engine/extract/extract-table.ts";
import type { Source } from "../../../kernel/wire/source.ts";
import { connectorOf } from "../../../containers/engine/sources/connectors.ts";
import { aStatement, startEngine, type Engine } from "../../support/node/programs/engine.ts";
import { ExtractionBench, never } from "../../support/node/sources/extraction.ts";
import { mutate, randomOf } from "../../support/node/sources/mutations.ts";
import { recordedMysql } from "../../support/node/sources/recorded-mysql.ts";
import { recordedPostgres } from "../../support/node/sources/recorded-postgres.ts";
import type { Protocol, Recording, Spoilt } from "../../support/node/sources/recorded-servers.ts";
import {
  connectMariadb,
  connectPostgres,
  mariadbSource,
  ownPostgres,
  postgresSource,
} from "../../support/node/sources/sources.ts";
import type { Server } from "../../support/node/servers/server.ts";

const HANG_MS = 30_000;
const AT_ONCE = 8;
const database = `hostile_${process.pid}`;
/** Nothing that the servers say has it: an answer that does is made of something else. */
const CANARY = "CANARY-of-another-team";

type Kind = { protocol: Protocol; server: Server; sql: string; schema: string; source(port: number): Source };
const kinds: Record<"postgres" | "mysql", Kind> = {
  postgres: {
    protocol: recordedPostgres,
    server: ownPostgres(),
    schema: "hostile",
    sql: "SELECT * FROM hostile.things",
    source: (port) => postgresSource({ ...ownPostgres(), port }, { host: "127.0.0.1" }),
  },
  mysql: {
    protocol: recordedMysql,
    server: inject("mariadb"),
    schema: database,
    sql: "SELECT * FROM things",
    source: (port) => mariadbSource({ ...inject("mariadb"), port }, database),
  },
};

let bench: ExtractionBench;
let engine: Engine;
beforeAll(async () => {
  const [postgres, mariadb] = await Promise.all([connectPostgres(ownPostgres()), connectMariadb(inject("mariadb"))]);
  await postgres.query(`DROP SCHEMA IF EXISTS hostile CASCADE; CREATE SCHEMA hostile; CREATE TYPE hostile.mood AS ENUM ('sad', 'glad');
    CREATE TABLE hostile.things (id int PRIMARY KEY, b boolean, s smallint, l bigint, f real, d double precision, n numeric(12,3), w numeric(38,9), day date, t time, ts timestamp, tz timestamptz, u uuid,
      j json, jb jsonb, bytes bytea, name text, tags text[], nums int[], times timestamptz[], mood hostile.mood, moods hostile.mood[]);
    INSERT INTO hostile.things SELECT i, i % 2 = 0, i, i * 1e12, i / 3.0, i / 7.0, i * 1.125, i * 123456789.5, DATE '2026-01-31' + i, TIME '10:00:00.5', TIMESTAMP '2026-01-31 10:00:00.25', TIMESTAMPTZ '2026-01-31 10:00:00+02',
      md5(i::text)::uuid, '{"a": [1, "b", null]}', '{"c": {"d": 1.5}}', '\\x00ff10', repeat('name ', i) || i, ARRAY['a', 'b "c"', NULL], ARRAY[1, 2, i], ARRAY[TIMESTAMPTZ '2026-01-31 10:00:00+00'], 'glad', '{sad,glad}' FROM generate_series(1, 6) i;
    INSERT INTO hostile.things (id) VALUES (7); COMMENT ON TABLE hostile.things IS 'things'`);
  await mariadb.query(`CREATE DATABASE ${database}; USE ${database};
    CREATE TABLE things (id INT PRIMARY KEY, b TINYINT(1), lu BIGINT UNSIGNED, l BIGINT, n DECIMAL(12,3), w DECIMAL(38,9), f FLOAT, d DOUBLE, bits BIT(9), y YEAR, day DATE, t TIME(3), ts DATETIME(2), tz TIMESTAMP(6) NULL, u UUID, j JSON, bytes BLOB, name TEXT, e ENUM('sad', 'glad'));
    INSERT INTO things SELECT seq, seq % 2, 18446744073709551000 + seq, -seq * 1000000000000000, seq * 1.125, seq * 123456789012345.5, seq / 3, seq / 7, seq, 2020 + seq, '2026-01-31', '10:00:00.5', '2026-01-31 10:00:00.25', '2026-01-31 10:00:00.5', UUID(),
      '{"a": [1, "b", null]}', x'00ff10', CONCAT(REPEAT('name ', seq * seq * 8), seq), 'glad' FROM seq_1_to_6;
    INSERT INTO things (id) VALUES (7)`);
  await Promise.all([postgres.end(), mariadb.end()]);
  [bench, engine] = await Promise.all([ExtractionBench.open(), startEngine({ hostsAllowed: "loopback" })]);
});
afterAll(async () => {
  const mariadb = await connectMariadb(inject("mariadb"));
  await mariadb.query(`DROP DATABASE IF EXISTS ${database}`);
  await Promise.all([mariadb.end(), bench.close(), engine.stop()]);
});

/** What came of a request to a source: cells of text, and everything as JSON. */
type Outcome = { texts: string[]; all: string };
type Ask = (source: Source, signal: AbortSignal, name: string) => Promise<Outcome>;

const textsOf = ({ bytes, starts, ends }: Row, places: number[]): string[] =>
  places.filter((i) => ends[i]! >= 0).map((i) => Buffer.from(bytes.subarray(starts[i], ends[i])).toString("latin1"));

const asks = (sql: string, schema: string): Record<string, Ask> => ({
  query: (source, signal) =>
    connectorOf(source).query({ source, sql, access: "everything", signal }, async ({ columns, rows }) => {
      const writers = (["json", "csv", "arrow", "parquet"] as const).map((format) =>
        createWriter({ columns, result: { format, numbers: "exact", rowsMax: 1_000, bytesMax: 1e9 }, requestId: "r" }),
      );
      const places = columns.flatMap(({ kind }, i) => (kind === "text" ? [i] : []));
      const texts: string[] = [];
      await rows((row) => {
        texts.push(...textsOf(row, places));
        for (const writer of writers) writer.write(row);
        return true;
      });
      const all = writers.map((writer) => Buffer.from(writer.end({ durationMs: 1 })));
      expect(() => JSON.parse(all[0]!.toString()), "the answer's own form").not.toThrow();
      return { texts, all: Buffer.concat(all).toString("latin1") };
    }),
  test: async (source, signal) => ({ texts: [], all: JSON.stringify(await connectorOf(source).test(source, signal)) }),
  introspect: async (source, signal) => ({
    texts: [],
    all: JSON.stringify(await connectorOf(source).introspect(source, signal)),
  }),
  extract: async (source, signal, name) => {
    const snapshot = await bench.snapshot(source, signal);
    try {
      const table = await snapshot.describe({ schema, name: "things" }, signal);
      await extractInto(name, { snapshot, table, staging: bench.staging, signal });
      const connection = await bench.staging.connect();
      const reader = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM "${name}"`);
      await connection.run(`DROP TABLE "${name}"`);
      connection.closeSync();
      return { texts: [], all: JSON.stringify(reader.getRows()) };
    } finally {
      await snapshot.close();
    }
  },
});

/** Why an outcome is not one of those that may be; undefined where it is. */
function faultOf(outcome: Outcome | { error: unknown }, spoilt: Spoilt, said: Buffer[]): string | undefined {
  if ("error" in outcome) {
    const { error } = outcome;
    if (!(error instanceof Failure)) return `${String(error)} ${(error as Error).stack}`;
    const isClear = (error.status >= 400 && error.status < 500) || error.code === "busy";
    return isClear && error.code !== "cancelled" ? undefined : `${error.code}: ${error.message}`;
  }
  if (outcome.all.includes(CANARY)) return "memory of another";
  const spoken = [...said, spoilt.bytes!].map((bytes) => bytes.toString("latin1"));
  const foreign = outcome.texts.find((text) => !spoken.some((bytes) => bytes.includes(text)));
  return foreign === undefined ? undefined : `bytes nobody sent: ${JSON.stringify(foreign.slice(0, 200))}`;
}

/**
 * Plays `count` spoilt forms of a recording to `ask`, a few at a time; answers what went wrong, by seed, and what came
 * out.
 */
async function playSpoilt(
  { protocol, source }: Kind,
  recording: Recording,
  ask: Ask,
  count: number,
): Promise<{ faults: string[]; answered: number; failed: number }> {
  const faults: string[] = [];
  let [answered, failed, seed] = [0, 0, 0];
  const places = recording.flatMap((answers, connection) => answers.map((_, answer) => ({ connection, answer })));
  const one = async (mine: number): Promise<void> => {
    const random = randomOf(mine);
    const { connection, answer } = places[mine % places.length]!;
    const spoilt: Spoilt = {
      connection,
      answer,
      bytes: mutate(recording[connection]![answer]!, protocol.framing, random),
    };
    const server = await protocol.play(recording, spoilt);
    Buffer.allocUnsafe(4_000).fill(CANARY);
    const hung = new AbortController();
    const timer = setTimeout(() => hung.abort(new Failure("cancelled", "it hung")), HANG_MS);
    const outcome = await ask(source(server.port), hung.signal, `t_${mine}`).catch((error: unknown) => ({ error }));
    clearTimeout(timer);
    server.close();
    "error" in outcome ? failed++ : answered++;
    const fault = faultOf(outcome, spoilt, recording.flat());
    if (fault !== undefined) faults.push(`seed ${mine}, answer ${connection}/${answer}: ${fault}`);
  };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (seed < count && faults.length < 10) await one(seed++);
    }),
  );
  return { faults, answered, failed };
}

describe.each(["postgres", "mysql"] as const)("a %s server whose words are spoilt", (name) => {
  const kind = kinds[name];

  it.each([
    ["query", 1_500],
    ["test", 300],
    ["introspect", 300],
    ["extract", 500],
  ] as const)("in answer to a %s gets a clear failure, or is passed on as it spoke (%i times)", async (what, count) => {
    const ask = asks(kind.sql, kind.schema)[what]!;
    let truth: Outcome | undefined;
    const recording = await kind.protocol.record(
      kind.server,
      async (port) => (truth = await ask(kind.source(port), never(), "recorded")),
    );
    // The recording is one: played as it was, it gives the same.
    const server = await kind.protocol.play(recording);
    const again = await ask(kind.source(server.port), never(), "played");
    server.close();
    expect(again.all).toEqual(truth!.all);
    const { faults, answered, failed } = await playSpoilt(kind, recording, ask, count);
    expect(faults).toEqual([]);
    expect(failed).toBeGreaterThan(count / 4);
    expect(answered).toBeGreaterThan(0);
  });

  it("leaves an engine alive that answers a 4xx, or what was said", async () => {
    const recording = await kind.protocol.record(kind.server, (port) =>
      asks(kind.sql, kind.schema).query!(kind.source(port), never(), ""),
    );
    const odd: string[] = [];
    for (let seed = 0; seed < 120; seed++) {
      const answer = seed % recording[0]!.length;
      const server = await kind.protocol.play(recording, {
        connection: 0,
        answer,
        bytes: mutate(recording[0]![answer]!, kind.protocol.framing, randomOf(9_000 + seed)),
      });
      const body = aStatement({
        sql: kind.sql,
        target: { kind: "source", access: "everything", source: kind.source(server.port) },
        format: seed % 2 === 0 ? "json" : "csv",
        deadlineMs: HANG_MS,
      });
      const response = await engine.call("POST", "/statements", body);
      const text = await response.text().catch(() => "broken off");
      server.close();
      if (
        !(response.status === 200 || (response.status >= 400 && response.status < 500)) ||
        /"code":"(internal|deadline_exceeded)"/.test(text)
      )
        odd.push(`seed ${seed}: ${response.status} ${text.slice(-300)}`);
    }
    expect(odd).toEqual([]);
    expect(await (await engine.call("GET", "/status")).json()).toMatchObject({ statements: 0 });
  });
});
