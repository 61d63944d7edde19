// `npm test` runs these steps, and counts the outcome of each.

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { root, spawnGroup } from "../process/group.ts";
import { wranglerEnvironment } from "../start/wrangler.ts";
import { printProgress, type ProgressLines } from "./progress.ts";

/** Vitest steps count their tests; any other step counts as one. */
export type Outcome = { passed: number; failed: number; output: string };
export type Step = {
  name: string;
  title: string;
  /** It reads the source and starts no server: it may run beside others of its kind. */
  readsOnly?: true;
  /** It runs only where it is named. */
  byNameOnly?: true;
  run(stop: AbortSignal): Promise<Outcome>;
};

type NodeProgram = { script: string; args: string[]; env?: NodeJS.ProcessEnv };

// It ends a step that hangs: the slowest takes 25 minutes on two quiet cores.
const STEP_MS_MAX = 50 * 60_000;
const reporter = join(root, "scripts/test/progress-reporter.ts");
const bin = (name: string, file: string) => join("node_modules", name, file);

/** `folder` takes what the steps write. */
export function stepsIn(folder: string): Step[] {
  const types = (name: string, project: string, title: string): Step => ({
    name,
    title,
    readsOnly: true,
    run: (stop) => check({ script: bin("typescript", "bin/tsc"), args: ["-p", project] }, stop),
  });
  const ring = (name: string, title: string): Step => ({ name, title, run: (stop) => runRing(name, folder, stop) });
  return [
    types("types-worker", "tsconfig.json", "types of the Worker"),
    types("types-node", "tsconfig.node.json", "types of the containers, the scripts and their tests"),
    types("types-unit", "tsconfig.unit.json", "types of the Worker's tests"),
    types("types-console", "tsconfig.console.json", "types of the console"),
    types("types-cli", "clients/cli/tsconfig.json", "types of the command line for Node 20"),
    types("types-client", "clients/typescript/tsconfig.json", "types of the client for every runtime"),
    {
      name: "assets",
      title: "the files of /docs and of the console",
      run: (stop) => check({ script: "scripts/assets/build.mjs", args: [] }, stop, printProgress()),
    },
    {
      name: "format",
      title: "the formatter and the linter find nothing to say",
      readsOnly: true,
      run: (stop) => check({ script: bin("@biomejs/biome", "bin/biome"), args: ["ci"] }, stop),
    },
    { ...ring("tidy", "the source text keeps the house rules"), readsOnly: true },
    ring("unit", "the Worker in workerd"),
    ring("containers", "the engine over real PostgreSQL, MariaDB and DuckDB, the sandbox over real Python"),
    { name: "bundle", title: "wrangler deploy --dry-run", run: (stop) => bundle(folder, stop) },
    ring("console", "the console in a browser"),
    ring("e2e", "the whole platform over HTTP"),
    { ...ring("engines", "DuckDB, PyIceberg, Trino and Spark over the Iceberg catalog"), byNameOnly: true },
  ];
}

async function runRing(name: string, folder: string, stop: AbortSignal): Promise<Outcome> {
  const report = join(folder, `${name}.json`);
  const args = [
    "run",
    "-c",
    `test/${name}.config.ts`,
    "--reporter=default",
    "--reporter=json",
    `--reporter=${reporter}`,
    `--outputFile.json=${report}`,
  ];
  const { code, output } = await run(
    { script: bin("vitest", "vitest.mjs"), args, env: { NO_COLOR: "1" } },
    stop,
    printProgress(),
  );
  const counts = JSON.parse(await readFile(report, "utf8").catch(() => "{}")) as Record<string, number | undefined>;
  const { numPassedTests: passed = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = counts;
  // A skipped test is a failed one: nothing passes by not running. A file that does not load counts once.
  const failed = numFailedTests + numPendingTests + numTodoTests;
  return { passed, failed: failed > 0 ? failed : code === 0 && passed > 0 ? 0 : 1, output };
}

/** Bundles as a deploy would. Images need a Docker engine to build, which a test can't ask for. */
async function bundle(folder: string, stop: AbortSignal): Promise<Outcome> {
  const out = join(folder, "bundle");
  const args = ["deploy", "--dry-run", "--containers-rollout=none", "--outdir", out];
  const env = { ...wranglerEnvironment(folder), CI: "1" };
  const outcome = await check({ script: bin("wrangler", "bin/wrangler.js"), args, env }, stop, printProgress());
  const bytes = await stat(join(out, "index.js")).then(
    (file) => file.size,
    () => 0,
  );
  if (outcome.failed === 0 && bytes === 0)
    return { passed: 0, failed: 1, output: `${outcome.output}\nNo bundle was written.` };
  return outcome;
}

async function check(program: NodeProgram, stop: AbortSignal, progress?: ProgressLines): Promise<Outcome> {
  const { code, output } = await run(program, stop, progress);
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

/** Runs a Node program to its end, its deadline, or `stop`. */
async function run({ script, args, env = {} }: NodeProgram, stop: AbortSignal, progress?: ProgressLines) {
  const output: string[] = [];
  const group = spawnGroup(script, args, env, (text) => output.push(text));
  group.child.on("message", (message) => progress?.receive(message));
  const end = () => void group.stop();
  const timer = setTimeout(() => {
    output.push(`\nStopped: it ran longer than ${STEP_MS_MAX / 60_000} minutes.\n`);
    end();
  }, STEP_MS_MAX);
  stop.addEventListener("abort", end);
  const code = await group.ended;
  await group.stop();
  clearTimeout(timer);
  progress?.stop();
  stop.removeEventListener("abort", end);
  return { code, output: output.join("") };
}
