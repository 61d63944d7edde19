// sync: list, run, runs, logs.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { itemsOf, type Fjord } from "../../../typescript/src/client.ts";
import { connect, type AddCommands, type Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { collect, printList } from "../output/list.ts";
import { coloured, hasReader, printable, printJson, say, writeData } from "../output/terminal.ts";
import { findIntegration } from "./find-integration.ts";
import { collectWords } from "./repeated-option.ts";

type RunFlags = { full?: boolean; table: string[]; schema?: string; wait?: boolean };
type LogFlags = { follow?: boolean };
type RunPlace = { integration_id: string; run_id: string };

const FOLLOW_MS = 1_000;
const STATUS_WORDS = { STARTED: "running", SUCCESS: "succeeded", FAILED: "failed" } as const;

export const addSyncCommands: AddCommands = (program, contextOf) => {
  const sync = program.command("sync").description("copies of databases in the lake");
  sync
    .command("list")
    .description("the syncs, and how they are")
    .action((_flags: object, command: Command) => list(contextOf(command)));
  sync
    .command("run")
    .description("begin a run")
    .argument("<integration>", "the database, by name or id")
    .option("--full", "read everything anew")
    .option("-t, --table <name>", "only this table; may be repeated", collectWords, [])
    .option("--schema <name>", "the schema of the lake, where the database has several syncs")
    .option("--wait", "show what it logs until it has ended")
    .action((word: string, flags: RunFlags, command: Command) => run(contextOf(command), word, flags));
  sync
    .command("runs")
    .description("the newest runs of a database's syncs")
    .argument("<integration>", "the database, by name or id")
    .action((word: string, _flags: object, command: Command) => runs(contextOf(command), word));
  sync
    .command("logs")
    .description("what a run logged: the newest one, unless its id is given")
    .argument("<integration>", "the database, by name or id")
    .argument("[run]", "the run's id")
    .option("-f, --follow", "until it has ended")
    .action((word: string, id: string | undefined, flags: LogFlags, command: Command) =>
      logs(contextOf(command), [word, id], flags),
    );
};

async function list(context: Context): Promise<void> {
  const fjord = await connect(context);
  const syncs = await collect(itemsOf((query) => fjord.api.GET("/v1/api/syncs", { params: { query } })));
  await printList(context, syncs, {
    source: (sync) => sync.source_name ?? sync.integration_id,
    schema: (sync) => sync.dest_schema,
    schedule: (sync) => sync.cron ?? sync.schedule,
    health: (sync) => sync.health,
    "last success": (sync) => sync.last_success_at,
    problem: (sync) => sync.problem,
  });
}

async function run(context: Context, word: string, { full = false, table, schema, wait }: RunFlags): Promise<void> {
  const fjord = await connect(context);
  const path = { integration_id: (await findIntegration(fjord, word)).id };
  const { data } = await fjord.api.POST("/v1/api/integrations/{integration_id}/syncs/run", {
    params: { path, query: schema === undefined ? {} : { dest_schema: schema } },
    body: { full, ...(table.length > 0 && { tables: table }) },
  });
  const started = data!;
  if (!wait) {
    if (context.options.json) return printJson(started);
    return say(`Run ${started.run_id} began. fjord sync logs -f ${word} ${started.run_id} follows it.`);
  }
  await follow(context, fjord, { ...path, run_id: started.run_id });
}

const fetchRuns = async (fjord: Fjord, integrationId: string) => {
  const params = { path: { integration_id: integrationId } };
  return (await fjord.api.GET("/v1/api/integrations/{integration_id}/syncs", { params })).data!.data;
};

async function runs(context: Context, word: string): Promise<void> {
  const fjord = await connect(context);
  await printList(context, await fetchRuns(fjord, (await findIntegration(fjord, word)).id), {
    run: (found) => found.run_id,
    state: (found) => found.details.state,
    began: (found) => found.created_at,
    ended: (found) => found.details.ended_at,
    read: (found) => found.details.rows_read,
    written: (found) => found.details.rows_written,
    reason: (found) => found.details.reason,
  });
}

type Following = [context: Context, fjord: Fjord, place: RunPlace, isWanted?: () => boolean];

async function logs(
  context: Context,
  [word, id]: [word: string, id: string | undefined],
  flags: LogFlags,
): Promise<void> {
  const fjord = await connect(context);
  const { id: integrationId } = await findIntegration(fjord, word);
  const runId = id ?? (await fetchRuns(fjord, integrationId))[0]?.run_id;
  if (runId === undefined) throw new UsageError(`No sync of ${word} has run yet.`);
  const place = { integration_id: integrationId, run_id: runId };
  if (flags.follow) return follow(context, fjord, place, hasReader);
  await printLines(context, fjord, place, 0);
}

/** Prints what the run logs until it has ended, or while `isWanted`. Throws where it ended otherwise than well. */
async function follow(...[context, fjord, place, isWanted = () => true]: Following): Promise<void> {
  for (let offset = 0; isWanted(); await sleep(FOLLOW_MS, undefined, { signal: context.signal })) {
    // The state is read first: whatever the run logged before it ended is printed after.
    const { data } = await fjord.api.GET("/v1/api/integrations/{integration_id}/syncs/{run_id}", {
      params: { path: place },
    });
    const { status, details } = data!.run;
    offset = await printLines(context, fjord, place, offset);
    if (status === "STARTED") continue;
    const outcome = `Run ${place.run_id} ${STATUS_WORDS[status]}`;
    if (status !== "SUCCESS") throw new Error(`${outcome}: ${details.reason ?? details.state}`);
    return say(`${outcome}: ${details.rows_written ?? 0} rows written.`);
  }
}

const LEVEL_COLOURS = { info: "dim", warning: "yellow", error: "red" } as const;

/** Answers the offset of the first line that is not there yet. */
async function printLines(...[context, fjord, place, first]: [Context, Fjord, RunPlace, number]): Promise<number> {
  let next = first;
  const lines = itemsOf(({ limit, offset }) =>
    fjord.api.GET("/v1/api/integrations/{integration_id}/syncs/{run_id}/logs", {
      params: { path: place, query: { limit, offset: first + offset } },
    }),
  );
  for await (const line of lines) {
    next++;
    const text = `${line.at}  ${coloured(line.level.padEnd(7), LEVEL_COLOURS[line.level])}  ${printable(line.message)}`;
    await writeData(`${context.options.json ? JSON.stringify(line) : text}\n`);
  }
  return next;
}
