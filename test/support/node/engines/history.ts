// A table with a history: every kind of change, each a snapshot of its own.

import { expect } from "vitest";
import { within } from "../../../../scripts/process/group.ts";
import { call, rowsOf, type QueryAnswer } from "../../../e2e/client.ts";
import type { TableName } from "./engine-client.ts";
import { rowsOfEnds, rowsOfNumbers, type TestColumn } from "./columns.ts";

const MAINTAINED_MS = 120_000;

export type TableTruth = {
  /** The name that the table has in the end. */
  table: TableName;
  /** What the API answers for the table at a snapshot, or now. */
  truth(snapshot?: number): Promise<QueryAnswer>;
};

export type History = TableTruth & {
  /** The snapshots of the table, the oldest first. */
  snapshots: number[];
};

/** Makes the table in the schema, which is there. */
export async function makeHistory(
  lake: string,
  schema: string,
  name: string,
  columns: readonly TestColumn[],
): Promise<History> {
  const old = `LAKE.${schema}.${name}`;
  const table = `LAKE.${schema}.${name}_now`;
  const statements = [
    `CREATE TABLE ${old} (id INTEGER, ${columns.map((each) => `${each.name} ${each.type}`).join(", ")})`,
    `INSERT INTO ${old} ${rowsOfEnds(columns)}`,
    `INSERT INTO ${old} ${rowsOfNumbers(columns, 0, 10)}`,
    `INSERT INTO ${old} ${rowsOfNumbers(columns, 10, 20)}`,
    `UPDATE ${old} SET s = 'changed', d9 = 1.25 WHERE id IN (3, 12)`,
    `DELETE FROM ${old} WHERE id IN (5, 1001)`,
    `MERGE INTO ${old} AS t USING (${rowsOfNumbers(columns, 8, 24)}) AS news ON t.id = news.id ` +
      "WHEN MATCHED AND t.id % 2 = 0 THEN UPDATE SET s = 'merged' WHEN NOT MATCHED THEN INSERT BY NAME",
    `ALTER TABLE ${old} ADD COLUMN extra VARCHAR`,
    `INSERT INTO ${old} BY NAME SELECT *, 'more ' || id AS extra FROM (${rowsOfNumbers(columns, 30, 35)})`,
    `ALTER TABLE ${old} RENAME COLUMN s TO label`,
    `ALTER TABLE ${old} DROP COLUMN i16`,
    `ALTER TABLE ${old} ALTER COLUMN id TYPE BIGINT`,
    `ALTER TABLE ${old} ALTER COLUMN f32 TYPE DOUBLE`,
    `INSERT INTO ${old} BY NAME SELECT * EXCLUDE (i16) RENAME (s AS label) FROM (${rowsOfNumbers(columns, 40, 45)})`,
  ];
  for (const statement of statements) await rowsOf(statement);
  await maintain(lake);
  await rowsOf(`DELETE FROM ${old} WHERE id IN (12, 41)`);
  const { at: lastOfOldName } = await snapshotsOf(lake, [schema, name]);
  await rowsOf(`ALTER TABLE ${old} RENAME TO ${name}_now`);
  await rowsOf(`ALTER TABLE ${table} ADD COLUMN i16 VARCHAR`);
  await rowsOf(`INSERT INTO ${table} BY NAME SELECT 50 AS id, 'anew' AS i16`);
  const { all } = await snapshotsOf(lake, [schema, `${name}_now`]);
  return {
    table: [schema, `${name}_now`],
    snapshots: all,
    truth: askedOnce((snapshot) => {
      const source =
        snapshot === undefined ? table : `${snapshot <= lastOfOldName ? old : table} AT (VERSION => ${snapshot})`;
      return exactly(`SELECT * FROM ${source}`);
    }),
  };
}

/** A table that nobody changes any more has one truth for all clients. */
export function askedOnce(ask: TableTruth["truth"]): TableTruth["truth"] {
  const answers = new Map<number | undefined, Promise<QueryAnswer>>();
  return (snapshot) => {
    const answer = answers.get(snapshot) ?? ask(snapshot);
    answers.set(snapshot, answer);
    return answer;
  };
}

/** The answer of a query that must succeed, with texts for numbers that are wide. */
export async function exactly(sql: string): Promise<QueryAnswer> {
  const { body } = await call<QueryAnswer>("POST", "/v1/query?numbers=string", { body: { sql } });
  expect(body, JSON.stringify(body)).toMatchObject({ success: true });
  return body;
}

type Metadata = { metadata: { "current-snapshot-id": number; snapshots: { "snapshot-id": number }[] } };

type Options = { baseUrl?: string; key?: string };

/** As the catalog tells a client. */
export async function snapshotsOf(
  lake: string,
  [schema, name]: TableName,
  options: Options = {},
): Promise<{ at: number; all: number[] }> {
  const path = `/iceberg/v1/${lake}/namespaces/${schema}/tables/${name}`;
  const { status, body } = await call<Metadata>("GET", path, options);
  expect(status, JSON.stringify(body)).toBe(200);
  const all = body.metadata.snapshots.map((each) => each["snapshot-id"]);
  return { at: body.metadata["current-snapshot-id"], all };
}

export type Maintained = {
  maintenanceId: string;
  state: string;
  progress: { steps: { step: string; done: number }[] };
};

/** Maintains the whole lake, and waits for the end. */
export async function maintain(lake: string, options: Options = {}): Promise<Maintained> {
  const path = `/v4/admin/lake/maintenance/${lake}`;
  const begun = await call<{ data: Maintained }>("POST", path, { ...options, body: { kind: "full" } });
  expect(begun.status, JSON.stringify(begun.body)).toBeLessThan(300);
  const look = `${path}?maintenanceId=${begun.body.data.maintenanceId}`;
  let seen = begun.body.data;
  await within(MAINTAINED_MS, async () => {
    seen = (await call<{ data: Maintained }>("GET", look, options)).body.data;
    return !["queued", "running"].includes(seen.state);
  });
  expect(seen, JSON.stringify(seen)).toMatchObject({ state: "succeeded" });
  return seen;
}
