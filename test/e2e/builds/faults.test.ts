// Deaths at each step of runs that build tables: what was read comes into the lake once, whether the run has succeeded
// or not, and the next run reads on from there.

import { beforeAll, expect, it } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { ENGINE_PROGRAM } from "../../support/node/programs/processes.ts";
import { isCommit, type Fate, type ProxiedRequest } from "../../support/node/servers/intercepting-proxy.ts";
import { rowsOf } from "../client.ts";
import { TEST_MS, useSyncWorld } from "../syncs/faults.ts";
import { createDoc, getRun, startRun, type Run } from "./runs.ts";

/** More than there are steps to be stopped at. */
const DOCS = 6;
const SANDBOX_PROGRAM = "containers/sandbox/main.ts";
const STEP_MS = 120_000;
const ENDED_MS = 200_000;
const EVENTS = 500;

const world = useSyncWorld([]);
const docs: string[] = [];
let events = 0;

/** Some of the ids come anew with each growth. */
async function grow(): Promise<void> {
  const from = events;
  events += EVENTS;
  await ask(
    `INSERT INTO LAKE.faults.events SELECT n, n % ${Math.ceil(EVENTS * 1.5)}, 'note ' || n FROM range(${from}, ${events}) AS r (n)`,
  );
}

const ask = (sql: string): Promise<Record<string, unknown>[]> => rowsOf(sql, {}, world().platform());

const NEWEST = "QUALIFY row_number() OVER (PARTITION BY id ORDER BY seq DESC) = 1";
const SINCE = "WHERE $since IS NULL OR seq > $since";
const docOf = (i: number) => ({
  version: 1,
  kind: "pipeline",
  metadata: { name: `Faults ${i}` },
  datasets: {
    merged: {
      engine: "sql",
      sql: `SELECT * FROM faults.events ${SINCE} ${NEWEST}`,
      materialize: { table: `faults.merged_${i}`, mode: "merge", key: ["id"] },
      incremental: { column: "seq" },
      tests: [{ kind: "unique", columns: ["id"] }],
    },
    appended: {
      engine: "sql",
      sql: `SELECT * FROM faults.events ${SINCE}`,
      materialize: { table: `faults.appended_${i}`, mode: "append" },
      incremental: { column: "seq" },
    },
  },
});

beforeAll(async () => {
  await ask("CREATE SCHEMA LAKE.faults");
  await ask("CREATE TABLE LAKE.faults.events (seq BIGINT, id BIGINT, note VARCHAR)");
  await grow();
  for (let i = 0; i < DOCS; i++) docs.push(await createDoc(docOf(i), world().platform()));
  await expectAllRun();
}, TEST_MS);

/** How often the source is in the tables of a doc, event by event: whole, and each event once, or as it was before. */
async function expectSource(i: number, seqBelow: number): Promise<void> {
  const source = `(SELECT * FROM LAKE.faults.events WHERE seq < ${seqBelow})`;
  const sumOf = (rows: string): string =>
    `(SELECT count(*) || md5(string_agg(concat(seq, '|', id, '|', note), ',' ORDER BY seq)) FROM ${rows})`;
  const [sums] = await ask(
    `SELECT ${sumOf(`LAKE.faults.merged_${i}`)} AS merged, ${sumOf(`LAKE.faults.appended_${i}`)} AS appended, ` +
      `${sumOf(`(SELECT * FROM ${source} ${NEWEST})`)} AS newest, ${sumOf(source)} AS every`,
  );
  expect(sums, `Doc ${i}`).toMatchObject({ merged: sums!.newest, appended: sums!.every });
}

async function expectAllRun(): Promise<void> {
  const ids = await Promise.all(docs.map((doc) => startRun(doc, world().platform())));
  for (const [i, run] of (await allEnded(ids)).entries()) {
    expect(run, JSON.stringify(run)).toMatchObject({ state: "succeeded" });
    await expectSource(i, events);
  }
}

/** Once all have ended, by what is reported and by what the clock does each minute. */
async function allEnded(ids: readonly string[]): Promise<Run[]> {
  let runs: Run[] = [];
  const look = async () => {
    runs = await Promise.all(ids.map((id, i) => getRun(docs[i]!, id, world().platform())));
    const haveEnded = runs.every(({ ended_at: endedAt }) => endedAt !== null);
    if (!haveEnded) await world().tick();
    return haveEnded;
  };
  // What was killed comes back while it is asked.
  expect(await within(ENDED_MS, () => look().catch(() => false)), JSON.stringify(runs)).toBe(true);
  return runs;
}

type Step = "before staging" | "staged" | "before the commit" | "committed" | "published";

/**
 * Stops runs at each step, whichever comes to it first. A step that has been done is one whose answer was lost: it is
 * asked for again, and that is held up.
 */
function stopAtEachStep() {
  const open = Promise.withResolvers<Fate>();
  const reached = new Set<Step>();
  const lost = new Set<string>();
  const hold = (step: Step): Promise<Fate> => {
    reached.add(step);
    return open.promise;
  };
  const lose = (path: string, step: Step): Fate | Promise<Fate> => {
    if (lost.has(path)) return hold(step);
    return { afterwards: () => lost.add(path) };
  };
  const seen = { stage: [] as string[], commit: [] as string[] };
  const rankOf = (paths: string[], path: string): number => {
    if (!paths.includes(path)) paths.push(path);
    return paths.indexOf(path);
  };
  const rule = (asked: ProxiedRequest): Fate | Promise<Fate> => {
    const { path } = asked;
    if (/^\/internal\/runs\/[^/]+\/stage$/.test(path)) {
      const rank = rankOf(seen.stage, path);
      return rank === 0 ? hold("before staging") : rank === 1 ? lose(path, "staged") : "pass";
    }
    if (isCommit(asked)) {
      const rank = rankOf(seen.commit, path);
      return rank === 0 ? hold("before the commit") : rank === 1 ? lose(path, "committed") : "pass";
    }
    return /^\/internal\/runs\/[^/]+\/publish$/.test(path) ? lose(path, "published") : "pass";
  };
  return { rule, reached, release: () => open.resolve("pass") };
}

const STEPS: readonly Step[] = ["before staging", "staged", "before the commit", "committed", "published"];

it.each<[string, () => Promise<void>]>([
  ["its engine", () => world().signal(ENGINE_PROGRAM, "SIGKILL")],
  ["its sandbox", () => world().signal(SANDBOX_PROGRAM, "SIGKILL")],
  ["the runtime", () => world().killRuntime()],
])(
  "brings each event into the lake once, whichever step the death of %s finds it at",
  { timeout: TEST_MS },
  async (_, kill) => {
    const before = events;
    await grow();
    const { rule, reached, release } = stopAtEachStep();
    world().proxy.rule(rule);
    const ids = await Promise.all(docs.map((doc) => startRun(doc, world().platform())));
    await expect.poll(() => [...reached].sort(), { timeout: STEP_MS, interval: 200 }).toEqual([...STEPS].sort());
    await kill();
    world().proxy.clear();
    release();
    for (const [i, { state }] of (await allEnded(ids)).entries())
      await expectSource(i, state === "succeeded" ? events : before);
    await grow();
    await expectAllRun();
  },
);
