// jobs: list, run, runs.

import type { Command } from "commander";
import { itemsOf, type Fjord } from "../../../typescript/src/client.ts";
import { connect, type AddCommands, type Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { collect, printList } from "../output/list.ts";
import { printJson, say } from "../output/terminal.ts";

export const addJobCommands: AddCommands = (program, contextOf) => {
  const jobs = program.command("jobs").description("automation jobs");
  jobs
    .command("list")
    .description("the jobs, and how they are")
    .action((_flags: object, command: Command) => list(contextOf(command)));
  jobs
    .command("run")
    .description("begin a run of a job")
    .argument("<job>", "its name or id")
    .action((word: string, _flags: object, command: Command) => run(contextOf(command), word));
  jobs
    .command("runs")
    .description("the runs of a job, the newest first")
    .argument("<job>", "its name or id")
    .action((word: string, _flags: object, command: Command) => runs(contextOf(command), word));
};

const listJobs = (fjord: Fjord) =>
  collect(itemsOf((query) => fjord.api.GET("/v4/automations/jobs", { params: { query } })));

async function findJob(fjord: Fjord, word: string): Promise<{ id: string; name: string }> {
  const found = (await listJobs(fjord)).filter(({ id, name }) => id === word || name === word);
  if (found.length === 1) return found[0]!;
  throw new UsageError(found.length > 1 ? `Several jobs are named ${word}: say its id.` : `No job is ${word}.`);
}

async function list(context: Context): Promise<void> {
  await printList(context, await listJobs(await connect(context)), {
    name: (job) => job.name,
    id: (job) => job.id,
    what: (job) => job.resourceType,
    enabled: (job) => (job.enabled ? "yes" : "no"),
    "next run": (job) => job.nextRunAt,
    "last run": (job) => job.lastRun?.state,
  });
}

async function run(context: Context, word: string): Promise<void> {
  const fjord = await connect(context);
  const job = await findJob(fjord, word);
  const params = { path: { job_id: job.id } };
  const { data } = await fjord.api.POST("/v4/automations/jobs/{job_id}/process", { params, body: {} });
  if (context.options.json) return printJson(data!.data);
  say(`Run ${data!.data.id} of ${job.name} is ${data!.data.state}.`);
}

async function runs(context: Context, word: string): Promise<void> {
  const fjord = await connect(context);
  const path = { job_id: (await findJob(fjord, word)).id };
  const found = itemsOf((query) => fjord.api.GET("/v4/automations/jobs/{job_id}/runs", { params: { path, query } }));
  await printList(context, await collect(found), {
    run: (each) => each.id,
    state: (each) => each.state,
    cause: (each) => each.cause,
    began: (each) => each.startedAt,
    ended: (each) => each.endedAt,
    error: (each) => each.error,
  });
}
