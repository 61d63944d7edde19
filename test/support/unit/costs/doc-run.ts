// A doc's run on a schedule from the tick that begins it to its end, with all that goes through the Worker's bindings
// counted.

import { env } from "cloudflare:workers";
import { openClients } from "../../../../src/clients/clients.ts";
import { AUTOMATION_WORK } from "../../../../src/features/automations/automation-work.ts";
import { startDueAutomations } from "../../../../src/features/automations/schedule/start-due.ts";
import { stepRun } from "../../../../src/features/work-model/step-run.ts";
import type { Count } from "../../../../scripts/scale/counts.ts";
import { createJob, newAutomationTeam } from "../automations.ts";
import { callWith } from "../call-with.ts";
import { fakeSandbox, reportOf } from "../fake-sandbox.ts";
import { LOSSY_QUEUE } from "../work-model/lossy-queue.ts";
import { countBindings } from "./counted-bindings.ts";

/** What each part of the run took, by its name; the doc has two datasets. */
export async function runDocCounted(): Promise<Record<string, Count>> {
  const team = await newAutomationTeam();
  const job = await createJob(team, { schedule: { cron: "0 3 * * *", timezone: "UTC" } });
  await env.DB.prepare("UPDATE automation_jobs SET next_run_at = ? WHERE id = ?")
    .bind(new Date(Date.now() - 1_000).toISOString(), job.body.data.id)
    .run();
  const sandbox = fakeSandbox({}, LOSSY_QUEUE);
  const counted = countBindings({ ...sandbox.bindings, WAKE_UPS: LOSSY_QUEUE });
  const clients = openClients(counted.bindings);
  const parts: Record<string, Count> = {};
  const part = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    counted.take();
    await work();
    parts[name] = counted.take();
  };

  await part("due", () => startDueAutomations(clients, new Date()));
  const run = env.DB.prepare("SELECT id FROM automation_runs WHERE automation_id = ?").bind(job.body.data.id);
  const id = (await run.first<string>("id"))!;
  const step = (lateMs: number) =>
    stepRun(AUTOMATION_WORK, clients, { teamId: team.id, id }, () => new Date(Date.now() + lateMs));
  await part("begin", () => step(0));
  const order = sandbox.seen.orders[0]!;
  const send = (what: string, body: unknown) => {
    const raw = JSON.stringify(body);
    const headers = { authorization: `Bearer ${order.token}`, "content-length": String(raw.length) };
    return callWith(counted.bindings, "POST", `/internal/runs/${order.runId}/${what}`, {
      raw,
      headers: { ...headers, "content-type": "application/json" },
    });
  };
  const { executionId } = order.datasets[0]!;
  const line = { at: new Date().toISOString(), stream: "stdout", text: "one" };
  await part("firstHeartbeat", () => send("heartbeat", { running: [executionId] }));
  await part("heartbeat", () => send("heartbeat", { running: [executionId] }));
  await part("log", () => send("log", { executionId, lines: [line] }));
  await part("result", () => send("results", { executionId, contentType: "application/json", bytes: 10 }));
  const [first, second] = reportOf(order).datasets;
  await part("first report", () => send("report", first));
  await part("report", () => send("report", second));
  await part("look", () => step(3_000));
  await part("finish", () => send("finish", reportOf(order)));
  await part("end", () => step(40_000));
  return parts;
}
