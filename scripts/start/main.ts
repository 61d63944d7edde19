// `npm start`: the whole platform on this machine, from an empty folder to a first query. Runs until a
// signal stops it.

import { machineBytes } from "../../containers/program/machine.ts";
import { startSupervisor } from "../supervisor/supervisor.ts";
import { step } from "../process/steps.ts";
import { buildAssets } from "./prepare/assets.ts";
import { startCron } from "./cron.ts";
import { loadSample, openDemoTeam } from "./demo-team.ts";
import { keepServerRunning } from "./restart-server.ts";
import { openLog } from "./log.ts";
import { applyMigrations, hasNewMigrations } from "./migrations/migrations.ts";
import { refuseTakenPort } from "./port.ts";
import { preparePython } from "./prepare/python.ts";
import { startServer } from "./server.ts";
import { readSettings, type Settings } from "./settings.ts";
import { openState } from "./state.ts";
import { startStorageGateway } from "./storage/gateway.ts";
import { startDevServer, type DevServer } from "./wrangler.ts";
import { STORAGE, variablesFor } from "./variables.ts";
import { wakeProgram } from "./wake.ts";
import { printReadyMessage } from "./ready-message.ts";

/** Ends the run: a signal, or the death of the process that started this one. */
const ending = new AbortController();
const ended = new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(signal, () => ending.abort());
process.channel?.unref();

// A terminal that is gone can't be printed to; what to do about its end, a signal says.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

/**
 * So many teams' programs run at once at least; those that were idle the longest give way to others. An idle engine
 * with its query processes holds some 650 MB, so that a large machine has more of them.
 */
const TEAMS_AT_ONCE = 4;
const INSTANCE_BYTES = 3 * 1024 ** 3;
const INSTANCES_MAX = 16;

/** Undone last to first. */
const STOPS: (() => Promise<void> | void)[] = [];

let exitCode = 0;
try {
  await Promise.race([run(), ended]);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  exitCode = 1;
}
if (ending.signal.aborted) console.log("Stopping …");
for (const stop of STOPS.reverse()) await stop();
process.exit(exitCode);

/** Never resolves; throws an Error for people when something ends that should not. */
async function run(): Promise<never> {
  const settings = readSettings(process.env);
  await refuseTakenPort(settings.port);
  const state = await openState(settings.state);
  STOPS.push(() => state.release());

  if (await hasNewMigrations(state)) {
    await step("Applying database migrations, and building the console", () =>
      Promise.all([applyMigrations(state), buildAssets()]),
    );
  }
  const engineLog = await openLog(state.logs, "engine");
  const supervisor = await startSupervisor({
    instancesMax: Math.max(
      TEAMS_AT_ONCE * Number(settings.variables["ENGINES_PER_TEAM"] || 1),
      Math.min(Math.floor(machineBytes() / INSTANCE_BYTES), INSTANCES_MAX),
    ),
    log: (line) => engineLog.write(`${line}\n`),
  });
  STOPS.push(() => supervisor.stop());
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = state.secrets;
  const upstream = { ...STORAGE, url: settings.url + STORAGE.path };
  const storage = await startStorageGateway({ accessKeyId, secretAccessKey, bucket: STORAGE.bucket }, upstream);
  STOPS.push(() => storage.stop());
  let started: DevServer | undefined;
  const variables = variablesFor(settings, state, supervisor, storage);
  const start = async () => (started = await startDevServer(settings, state, variables));
  STOPS.push(() => started?.stop());
  const server = await step("Starting the platform", () => startServer(settings.url, start));
  const cron = startCron(settings.url, await openLog(state.logs, "cron"));
  STOPS.push(() => cron.stop());

  const demo = await Promise.race([openDemoTeam(settings.url, state), server.crashed]);
  await Promise.race([loadSample(settings.url, demo), server.crashed]);
  const wake = (program: "engine" | "sandbox") =>
    wakeProgram(program, { url: settings.url, demo, state, stop: ending.signal });
  await Promise.race([step("Starting the demo team's engine", () => wake("engine")), server.crashed]);
  printReadyMessage(settings.url, demo);
  void prepareSandbox(settings, () => wake("sandbox"));
  return keepServerRunning(settings.url, start, server, ending.signal);
}

/** Readies what datasets need and queries do not: Python's packages, then the sandbox, which fetches them otherwise. */
async function prepareSandbox(settings: Settings, wakeSandbox: () => Promise<void>): Promise<void> {
  if (!settings.containers) await preparePython(settings.variables);
  await wakeSandbox().catch((error: Error) => {
    if (!ending.signal.aborted) console.warn(`WARNING: The demo team's sandbox was not started: ${error.message}`);
  });
}
