// This benchmark measures a Python dataset's time over the bare process: warm, cold, and forty at once, with the memory
// of a worker that waits; beside Pyodide, if it can be fetched.

import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findPython } from "../../containers/sandbox/python/interpreter.ts";
import { prepareBase } from "../../containers/sandbox/python/packages.ts";
import { defaultCacheDirectory } from "../../containers/sandbox/core/settings.ts";
import { RunPlatformStandIn } from "../../test/support/node/sandbox/run-platform.ts";
import { aDataset, startSandbox, type Sandbox } from "../../test/support/node/sandbox/sandbox.ts";
import { alternate, fixed, machineLoad, median, percentile, printTable, say, timed } from "./support/measure.ts";
import { runProgram } from "./support/program.ts";

const ROUNDS = 20;
const AT_ONCE = 40;
const MANY_ROUNDS = 3;
/** Warm workers of two sandboxes, of which the second has these more. */
const MORE_WAITING = 8;
const CODE = "result = sum(range(1000))";
const AIM = { p50: 50, p95: 150 };
/** A pause as between two webhooks, in which a warm process takes the place of the one that was used. */
const PAUSE_MS = 1_500;
const PYODIDE_VERSION = "314.0.7";

export async function benchSandbox(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-sandbox-"));
  const platform = await new RunPlatformStandIn().start();
  let sandbox: Sandbox | undefined;
  try {
    const began = performance.now();
    sandbox = await startSandbox(platform);
    const bootMs = performance.now() - began;
    const first = await timed(() => runOne(sandbox!));
    const pyodide = await openPyodide(folder);
    // All variants run the sandbox's Python, so that the time of a shim before another Python is nobody's gain.
    const python = await findPython(process.env);
    const packages = await prepareBase(python, defaultCacheDirectory());
    const measured = await alternate(ROUNDS, {
      bare: () => timed(() => bare(python.command, CODE)),
      pandas: () =>
        timed(() =>
          bare(python.command, `import sys; sys.path.insert(0, ${JSON.stringify(packages)}); import pandas\n${CODE}`),
        ),
      warm: async () => {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        return timed(() => runOne(sandbox!));
      },
      pyodide: async () => (pyodide ? timed(pyodide) : Number.NaN),
    });
    const added = measured.warm.map((ms, round) => ms - measured.bare[round]!);
    const row = (name: string, values: number[]) => [name, fixed(median(values)), fixed(percentile(values, 0.95))];
    printTable(
      `Python, ${ROUNDS} rounds, jail ${sandbox.jail.kind}, load ${machineLoad()} (milliseconds)`,
      ["", "p50", "p95"],
      [
        row("bare python3", measured.bare),
        row("bare python3 that imports pandas", measured.pandas),
        row("warm run, pandas imported", measured.warm),
        row(`added over bare python3 (aim ${AIM.p50}/${AIM.p95})`, added),
        ...(pyodide ? [row("Pyodide, a fresh interpreter in Node", measured.pyodide)] : []),
      ],
    );
    say(`Cold: the sandbox boots and probes its jail in ${fixed(bootMs)} ms; its first run takes ${fixed(first)} ms.`);
    await benchMany(sandbox);
    await benchWaiting(platform);
  } finally {
    await sandbox?.stop();
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Datasets asked for at once, each in a worker of its own: how many begin in a second. */
async function benchMany(sandbox: Sandbox): Promise<void> {
  const rates: number[] = [];
  for (let round = 0; round < MANY_ROUNDS; round++) {
    const ms = await timed(async () => {
      const reports = await Promise.all(
        Array.from({ length: AT_ONCE }, () => sandbox.run([aDataset(CODE)], { deadlineMs: 300_000 })),
      );
      const failed = reports.filter(({ outcome }) => outcome !== "succeeded").length;
      if (failed > 0) throw new Error(`${failed} of ${AT_ONCE} runs failed.`);
    });
    rates.push((AT_ONCE / ms) * 1_000);
  }
  say(
    `${AT_ONCE} datasets at once: ${fixed(median(rates))} starts a second (${rates.map((one) => fixed(one)).join(", ")}).`,
  );
}

/** Memory that one more waiting worker takes, what processes share counted once. */
async function benchWaiting(platform: RunPlatformStandIn): Promise<void> {
  const held: number[] = [];
  for (const warm of [2, 2 + MORE_WAITING]) {
    const sandbox = await startSandbox(platform, { SANDBOX_WARM_CELLS: String(warm) });
    try {
      await runOne(sandbox);
      held.push(await settled(() => memoryBelow(sandbox.pid)));
    } finally {
      await sandbox.stop();
    }
  }
  say(`A waiting worker takes ${fixed((held[1]! - held[0]!) / MORE_WAITING)} MB.`);
}

/** The value once it has stayed within a megabyte for a second. */
async function settled(measure: () => number): Promise<number> {
  let before = Number.NaN;
  for (let now = measure(); !(Math.abs(now - before) < 1); now = measure()) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return before;
}

/** Megabytes of all processes that a process has started, each page divided among those that share it. */
function memoryBelow(root: number): number {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const parents = new Map(lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number]));
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  const kilobytes = [...parents.keys()]
    .filter((pid) => pid !== root && isBelow(pid))
    .map((pid) => {
      try {
        return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
      } catch {
        return 0;
      }
    });
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1024;
}

async function runOne(sandbox: Sandbox): Promise<void> {
  const { error } = await sandbox.python(CODE);
  if (error !== null) throw new Error(error);
}

const bare = (command: string, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, ["-I", "-c", text], { stdio: "ignore" });
    child.once("error", reject).once("exit", () => resolve());
  });

/** Fetched for the occasion: it is larger than all else the project installs. */
async function openPyodide(folder: string): Promise<(() => Promise<void>) | undefined> {
  try {
    await runProgram(
      "npm",
      ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", `pyodide@${PYODIDE_VERSION}`],
      {},
      120_000,
    );
    const { loadPyodide } = (await import(
      pathToFileURL(join(folder, "node_modules", "pyodide", "pyodide.mjs")).href
    )) as { loadPyodide: () => Promise<{ runPython(code: string): unknown }> };
    return async () => void (await loadPyodide()).runPython(CODE);
  } catch (error) {
    say(`Pyodide is left out: ${String(error).split("\n")[0]}`);
    return undefined;
  }
}
