// Maintenance of a sync world's lake, as an automation job of its team's admin.

import { createHash } from "node:crypto";
import { expect } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import type { ProxiedRequest } from "../../support/node/servers/intercepting-proxy.ts";
import { call, rowsOf, type Integration } from "../client.ts";
import type { SyncWorld } from "../syncs/world.ts";

type Table = { name: string; step: string; state: string; filesBefore: number; filesAfter: number };
export type Maintenance = {
  state: string;
  error: string | null;
  attempt: number;
  progress: { steps: { step: string; state: string; done: number }[]; tables: Table[] } | null;
};

const ENDED_MS = 200_000;
const JOBS = "/v4/automations/jobs";

export const isPlan = ({ path }: ProxiedRequest): boolean => path.endsWith("/maintenance/plan");
export const isStep =
  (step: string) =>
  ({ path }: ProxiedRequest): boolean =>
    path.endsWith(`/maintenance/${step}`);
/** Data files of a lake, which engines read by signed URLs. */
export const isRead = ({ method, path }: ProxiedRequest): boolean => method === "GET" && path.endsWith(".parquet");

/** Some of the table's files became fewer. */
export const isMerged =
  (table: string) =>
  ({ name, filesBefore, filesAfter }: Table): boolean =>
    name === table && filesBefore > filesAfter;

/** The team's lake and a job of its full maintenance, which tries again soon. */
export async function openMaintenance(world: SyncWorld) {
  const lakes = await call<{ data: Integration[] }>("GET", "/v1/api/integrations?type=lake", world.platform());
  expect(lakes.body.data, JSON.stringify(lakes.body)).toHaveLength(1);
  const body = {
    resourceType: "lake_integration_maintenance",
    resourceId: lakes.body.data[0]!.id,
    kind: "full",
    retry: { attempts: 6, backoffSeconds: 1 },
  };
  const made = await call<{ data: { id: string } }>("POST", JOBS, { ...world.platform(), body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const job = `${JOBS}/${made.body.data.id}`;

  const look = async (id: string): Promise<Maintenance> => {
    const { status, body: seen } = await call<{ data: Maintenance }>("GET", `${job}/runs/${id}`, world.platform());
    expect(status, JSON.stringify(seen)).toBe(200);
    return seen.data;
  };
  return {
    look,
    /** Answers the run's id. */
    async start(): Promise<string> {
      const run = await call<{ data: { id: string } }>("POST", `${job}/process`, { ...world.platform(), body: {} });
      expect(run.status, JSON.stringify(run.body)).toBe(200);
      return run.body.data.id;
    },
    async ended(id: string): Promise<Maintenance> {
      let seen: Maintenance | undefined;
      await within(ENDED_MS, async () => !["queued", "running"].includes((seen = await look(id)).state));
      return seen!;
    },
    /** The states of a run's attempts, the first one first. */
    async attempts(id: string): Promise<string[]> {
      const path = `${job}/runs/${id}/attempts?ascending=true`;
      const { body: page } = await call<{ data: { items: { state: string }[] } }>("GET", path, world.platform());
      return page.data.items.map(({ state }) => state);
    },
  };
}

const PARTS = "LAKE.kept.parts";
const ROWS = 2_000;
/** A row is deleted if this divides its number. */
const DELETED = 7;

/** A table of the lake in small files of one size, some rows of which are deleted again, so that they want merging. */
export function openParts(world: SyncWorld) {
  const run = (sql: string) => rowsOf(sql, {}, world.platform());
  let next = 0;
  /** The numbers of the rows that are left. */
  const left: number[] = [];
  const addFile = async (): Promise<void> => {
    await run(`INSERT INTO ${PARTS} SELECT n, 'part ' || n FROM range(${next}, ${next + ROWS}) AS rows (n)`);
    for (const end = next + ROWS; next < end; next++) left.push(next);
  };
  return {
    async create(): Promise<void> {
      await run("CREATE SCHEMA IF NOT EXISTS LAKE.kept");
      await run(`CREATE TABLE ${PARTS} (n BIGINT, note VARCHAR)`);
    },
    addFile,
    async grow(): Promise<void> {
      const [from, before] = [next, left.length];
      for (let file = 0; file < 3; file++) await addFile();
      await run(`DELETE FROM ${PARTS} WHERE n % ${DELETED} = 0 AND n >= ${from}`);
      left.push(...left.splice(before).filter((n) => n % DELETED !== 0));
    },
    /** All its rows, to the letter. */
    sum: () =>
      run(`SELECT count(*)::int AS rows, md5(string_agg(concat(n, '|', note), ',' ORDER BY n)) AS sum FROM ${PARTS}`),
    /** What that has to be. */
    expected() {
      const text = left.map((n) => `${n}|part ${n}`).join(",");
      return [{ rows: left.length, sum: createHash("md5").update(text).digest("hex") }];
    },
  };
}
