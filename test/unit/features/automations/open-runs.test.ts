// What has not ended is found without a look at all that has: of a job that runs each minute a hundred thousand runs
// are kept.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { AUTOMATION_WORK } from "../../../../src/features/automations/automation-work.ts";
import { startDueAutomations } from "../../../../src/features/automations/schedule/start-due.ts";
import { sweepAutomationRuns } from "../../../../src/features/automations/schedule/sweep.ts";
import { startDueSyncs } from "../../../../src/features/syncs/runs/start-due.ts";
import { sweepSyncRuns } from "../../../../src/features/syncs/runs/sweep.ts";
import { stepRun } from "../../../../src/features/work-model/step-run.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { JOBS, newWorld } from "../../../support/unit/automations.ts";
import { LOSSY_QUEUE } from "../../../support/unit/work-model/lossy-queue.ts";

/** The database, with every statement that it was given. */
function spiedDb() {
  const seen = new Map<string, unknown[]>();
  const prepare = (text: string) =>
    new Proxy(env.DB.prepare(text), {
      get(statement, name) {
        const value: unknown = Reflect.get(statement, name);
        if (name !== "bind") return typeof value === "function" ? value.bind(statement) : value;
        return (...values: unknown[]) => {
          seen.set(text, values);
          return statement.bind(...values);
        };
      },
    });
  const db = new Proxy(env.DB, {
    get(target, name) {
      if (name === "prepare") return prepare;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { db, seen };
}

/** How the database goes about a statement. */
const planOf = async (text: string, values: unknown[]): Promise<string[]> =>
  (
    await env.DB.prepare(`explain query plan ${text}`)
      .bind(...values)
      .all<{ detail: string }>()
  ).results.map(({ detail }) => detail);

it("is found by what has not ended, whoever asks", async () => {
  const world = await newWorld();
  const { db, seen } = spiedDb();
  const bindings = { ...env, ...world.sandbox.bindings, WAKE_UPS: LOSSY_QUEUE, DB: db } as unknown as Env;
  const clients = openClients(bindings);
  const { key } = world.team.admin;
  const jobId = await world.newJob({ schedule: { cron: "0 * * * *", timezone: "UTC" } });
  await env.DB.prepare("update automation_jobs set next_run_at = '2020-01-01T05:00:00.000Z' where id = ?")
    .bind(jobId)
    .run();
  await startDueAutomations(clients, new Date());
  const [{ id }] = await world.runsOf(jobId);
  await callWith(bindings, "POST", `${JOBS}/${jobId}/process`, { key, body: {} });
  await stepRun(AUTOMATION_WORK, clients, { teamId: world.team.id, id });
  await world.finish(world.sandbox.seen.orders[0]!);
  await stepRun(AUTOMATION_WORK, clients, { teamId: world.team.id, id }, () => new Date(Date.now() + 60_000));
  expect((await world.runOf(jobId, id)).state).toBe("succeeded");
  await sweepAutomationRuns(clients, new Date());
  await startDueSyncs(clients, new Date());
  await sweepSyncRuns(clients, new Date());
  await callWith(bindings, "DELETE", `${JOBS}/${jobId}`, { key });

  const ofOpen = [...seen].filter(([text]) => /ended_at"? is null/i.test(text) && /(automation|sync)_runs/.test(text));
  expect(ofOpen.length).toBeGreaterThan(8);
  for (const [text, values] of ofOpen) {
    const ofAll = (await planOf(text, values)).filter((detail) =>
      /_runs_(job|resource|sync|team_source) /.test(detail),
    );
    // The newest run that has ended is the first in the order of the job's index, after those that have not.
    expect([text, ofAll]).toEqual([text, Array.from(text.matchAll(NEWEST_ENDED), () => expect.any(String))]);
  }
});

const NEWEST_ENDED = /ended_at is not null order by other\.created_at desc, other\.id desc limit 1/g;
