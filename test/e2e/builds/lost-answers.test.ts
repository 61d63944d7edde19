// Deaths between the commit of a run's tables and its answer: how the tests went is told all the same.

import { beforeAll, expect, it } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { ENGINE_PROGRAM } from "../../support/node/programs/processes.ts";
import { isCommit } from "../../support/node/servers/intercepting-proxy.ts";
import { rowsOf } from "../client.ts";
import { once, TEST_MS, useSyncWorld } from "../syncs/faults.ts";
import { createDoc, getRun, listTables, startRun } from "./runs.ts";

const ENDED_MS = 200_000;

const world = useSyncWorld([]);
const ask = (sql: string): Promise<Record<string, unknown>[]> => rowsOf(sql, {}, world().platform());

beforeAll(async () => {
  await ask("CREATE SCHEMA LAKE.lost");
}, TEST_MS);

const docOf = (table: string) => ({
  version: 1,
  kind: "pipeline",
  metadata: { name: `Lost ${table}` },
  datasets: {
    t: {
      engine: "sql",
      sql: "SELECT range AS id, nullif(range, 2) AS part FROM range(4)",
      materialize: { table: `lost.${table}` },
      tests: [
        { kind: "unique", columns: ["id"] },
        { kind: "not_null", columns: ["part"], severity: "warn" },
      ],
    },
  },
});

it.each<[string, string, () => Promise<void>]>([
  ["its engine", "engine", () => world().signal(ENGINE_PROGRAM, "SIGKILL")],
  ["the runtime", "runtime", () => world().killRuntime()],
])(
  "tells how each test went where %s dies between the commit and its answer",
  { timeout: TEST_MS },
  async (_, name, kill) => {
    const doc = await createDoc(docOf(name), world().platform());
    const committed = Promise.withResolvers<void>();
    const { rule, met } = once(isCommit, { afterwards: () => committed.resolve() });
    world().proxy.rule(rule);
    const id = await startRun(doc, world().platform());
    await met;
    await committed.promise;
    await kill();
    const look = async () => {
      const { ended_at: endedAt } = await getRun(doc, id, world().platform());
      if (endedAt === null) await world().tick();
      return endedAt !== null;
    };
    // What was killed comes back while it is asked.
    expect(await within(ENDED_MS, () => look().catch(() => false))).toBe(true);
    expect(await getRun(doc, id, world().platform())).toMatchObject({ state: "succeeded", error: null });
    expect(await ask(`SELECT count(*)::int AS n FROM LAKE.lost.${name}`)).toEqual([{ n: 4 }]);
    expect(await listTables(doc, id, world().platform())).toMatchObject([
      {
        is_published: true,
        rows: 4,
        tests: [
          { name: "unique id", state: "passed", rows: 0 },
          { name: "not_null part", state: "failed", rows: 1, sample: { rows: [["2", null]] } },
        ],
      },
    ]);
  },
);
