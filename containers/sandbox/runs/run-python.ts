// A Python dataset of a run: what it is given, its worker process, and what it leaves.

import { rename, stat } from "node:fs/promises";
import type { DatasetReport, RunDataset } from "../../../kernel/wire/sandbox.ts";
import { DRIVE_PATH } from "../jail/paths.ts";
import type { WorkerOrder, WorkerProcess } from "../processes/worker-process.ts";
import type { DatasetLog } from "./dataset-log.ts";
import type { RunContext } from "./run-context.ts";
import { stage } from "./stage.ts";

const ERROR_CHARACTERS_MAX = 16_384;

type PythonDataset = Extract<RunDataset, { engine: "python" }>;
/** `driveProblem`: why the drive is not as it should be, or null. */
type PythonRun = RunContext & {
  dataset: PythonDataset;
  report: DatasetReport;
  log: DatasetLog;
  driveProblem: string | null;
};

/** Fills in the report. Rejects with an Error for the dataset's author, or with why the run ends. */
export async function runPython(
  run: RunContext,
  dataset: PythonDataset,
  report: DatasetReport,
  log: DatasetLog,
): Promise<void> {
  const driveProblem = run.services.driveProblem ?? (await run.driveReady) ?? null;
  if (driveProblem) log.note(driveProblem);
  if (driveProblem && dataset.code.includes(DRIVE_PATH)) throw new Error(driveProblem);
  const packages = await run.services.packages(dataset.requirements);
  if (packages.problem) log.note(packages.problem);
  const python = { ...run, dataset, report, log, driveProblem };
  await run.services.pool.use(packages.folders, run.signal, (worker) => useWorker(python, worker));
}

/** Works with the network and the drive open for as long as the code runs. */
async function useWorker(run: PythonRun, worker: WorkerProcess): Promise<void> {
  const { order, services, log } = run;
  const note = (text: string) => log.note(text);
  services.proxy.grant(worker.token, { teamId: order.teamId, internet: order.internet }, note);
  worker.drive.open({ ask: run.ask, report: note });
  try {
    await runCode(run, worker);
    await (run.dataset.isStaged ? stageResult(run, worker) : keepResult(run, worker));
  } finally {
    services.proxy.revoke(worker.token);
    worker.drive.close();
  }
}

async function runCode(run: PythonRun, worker: WorkerProcess): Promise<void> {
  const { dataset, report, log, signal, driveProblem } = run;
  const order = await prepareOrder(run, worker);
  const { startedAt, result, ...outcome } = await worker.run(order, dataset.timeoutMs, signal, (stream, chunk) =>
    log.take(stream, chunk),
  );
  Object.assign(report, outcome, {
    startedAt: startedAt?.toISOString() ?? null,
    result: result && { ...result, path: null },
  });
  if (driveProblem && report.error?.includes(DRIVE_PATH) && !report.error.includes(driveProblem))
    report.error = `${report.error}\n${driveProblem}`.slice(0, ERROR_CHARACTERS_MAX);
  report.error ??= worker.drive.problem();
  if (report.error !== null) report.result = null;
}

/** The run's own variables come last: none can be set over. */
async function prepareOrder(run: PythonRun, worker: WorkerProcess): Promise<WorkerOrder> {
  const { dataset, services, envelope, driveProblem } = run;
  const { apiKey } = run.order;
  const { platformUrl } = services;
  // Code that serves both a webhook and a schedule reads one file in either.
  const data = envelope?.dataFile ?? { text: "null" };
  const inputs = await Promise.all(dataset.inputs.map((input, at) => giveInput(run, worker, input, at)));
  const environment = {
    ...envelope?.environment,
    SERVICE_API_KEY: apiKey,
    SERVICE_API_BASE_URL: platformUrl,
    DEFINITE_API_KEY: apiKey,
    DEFINITE_API_BASE_URL: platformUrl,
    WEBHOOK_DATA_FILE: await worker.give({ name: "webhook-data.json", from: data, mode: 0o400 }),
  };
  const closed = driveProblem === null ? null : { path: DRIVE_PATH, why: driveProblem };
  const isTable = dataset.isStaged === true;
  return { name: dataset.key, code: dataset.code, environment, inputs, isTable, baseUrl: platformUrl, closed };
}

async function giveInput(
  { outputs }: PythonRun,
  worker: WorkerProcess,
  { ref, as }: PythonDataset["inputs"][number],
  at: number,
): Promise<WorkerOrder["inputs"][number]> {
  const { kind, files } = outputs.get(ref);
  const give = (from: string, i: number) =>
    worker.give({ name: i === 0 ? `input-${at}` : `input-${at}-${i}`, from, mode: 0o444 });
  return { as, kind, paths: await Promise.all(files.map(give)) };
}

/** A frame that is to become rows of a table. */
async function stageResult(run: PythonRun, worker: WorkerProcess): Promise<void> {
  const { report, outputs, dataset } = run;
  const { result } = report;
  if (!result) return;
  const file = await takeResult(run, worker, result.bytes);
  await outputs.uploadFrame(dataset.executionId, file, result.bytes);
  const { columns } = await stage(run, dataset, result.bytes);
  report.result = { ...result, columns, path: null };
  outputs.keepTable(report.key, "table", [file]);
}

async function takeResult({ outputs }: PythonRun, worker: WorkerProcess, bytes: number): Promise<string> {
  const file = outputs.newFile();
  // The reported size is checked; the bytes are only ever read by a jailed process.
  if ((await stat(worker.resultFile)).size !== bytes) throw new Error("The result was changed after it was written.");
  await rename(worker.resultFile, file);
  return file;
}

async function keepResult(run: PythonRun, worker: WorkerProcess): Promise<void> {
  const { report, outputs } = run;
  const { result } = report;
  if (!result || result.kind === "none") return outputs.keepNothing(report.key);
  const file = await takeResult(run, worker, result.bytes);
  await outputs.keep(report, { kind: result.kind, file });
}
