// This benchmark takes the time from a fresh copy of the project to the answer of the first query, beside `npm ci`
// alone in the same minutes. Packages come from npm's cache on this machine, which a first round fills.

import { execFile, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { endProcess, endWithUs, freePort } from "../../test/support/node/servers/server-process.ts";
import { askProduct } from "./lake/ask.ts";
import { alternate, fixed, machineLoad, median, printTable, ratio, say, timed } from "./support/measure.ts";
import { ROOT, runProgram } from "./support/program.ts";

const ROUNDS = 3;
const READY_MS = 600_000;
/** The aim: so long, or so much longer than `npm ci` where that is more. */
const [AIM_S, AIM_BESIDE_NPM_S] = [40, 8];
const SQL =
  "SELECT category, count(DISTINCT order_id) AS orders FROM LAKE.sample.order_items " +
  "JOIN LAKE.sample.products USING (product_id) GROUP BY category ORDER BY orders DESC LIMIT 3";
/** The times of a newcomer's start, in seconds, each from the end of the one before. */
const PHASES = ["packages", "migrations and console", "platform", "sample", "engine", "first query"] as const;
/** What the launcher prints first when a phase is over. */
const ENDS = [/^Applying /m, /^Starting the platform/m, /^Loading the sample/m, /^Starting the demo/m, /^API key: /m];

type Start = Record<(typeof PHASES)[number], number>;

export async function benchStart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-bench-start-"));
  let copies = 0;
  /** Runs in a copy of the project's files as they are, which is gone afterwards. */
  const inCopy = async <T>(work: (copy: string) => Promise<T>): Promise<T> => {
    const copy = join(folder, String(copies++));
    await copyProject(copy);
    const result = await work(copy);
    await rm(copy, { recursive: true, force: true, maxRetries: 5 });
    return result;
  };
  const npm = (...args: string[]) => inCopy((copy) => timed(() => npmCi(copy, args)));
  const contenders: Record<"all" | "lean" | "start", () => Promise<number | Start>> = {
    all: () => npm(),
    lean: () => npm("--omit=dev"),
    start: () => inCopy(startAndAsk),
  };
  try {
    await npm();
    report(await alternate(ROUNDS, contenders));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function report({ all, lean, start }: Record<"all" | "lean" | "start", (number | Start)[]>): void {
  const seconds = (rounds: (number | Start)[]) => rounds.map((ms) => (ms as number) / 1_000);
  const starts = start as Start[];
  const totals = starts.map((phases) => PHASES.reduce((sum, phase) => sum + phases[phase], 0));
  const npm = seconds(all);
  const row = (name: string, rounds: number[]) => [name, fixed(median(rounds)), fixed(ratio(rounds, npm), 2)];
  printTable(
    `From a fresh copy to the first query: s, medians of ${ROUNDS} alternating rounds`,
    ["", "s", "÷ npm ci"],
    [
      row("npm ci", npm),
      row("npm ci --omit=dev", seconds(lean)),
      row("npm start, until its first query is answered", totals),
      ...PHASES.map((phase) =>
        row(
          `  ${phase}`,
          starts.map((phases) => phases[phase]),
        ),
      ),
    ],
  );
  const aim = Math.max(AIM_S, median(npm) + AIM_BESIDE_NPM_S);
  const outcome = median(totals) > aim ? "missed" : "reached";
  say(`Aim: ${AIM_S} s, or npm ci and ${AIM_BESIDE_NPM_S} s: ${fixed(aim)} s, ${outcome}. Load ${machineLoad()}.`);
}

/** The files that git has or would take: a clone with what is not committed yet. */
async function copyProject(copy: string): Promise<void> {
  const list = await runProgram("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  for (const name of list.split("\0").filter(Boolean))
    await cp(join(ROOT, name), join(copy, name), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      // Git lists what was deleted since the last commit.
      if (error.code !== "ENOENT") throw error;
    });
}

const npmCi = (cwd: string, args: string[]) =>
  promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund", ...args], { cwd, timeout: READY_MS });

/** `npm start` in an empty folder of state, as its output tells how far it is, and one query of the sample. */
async function startAndAsk(copy: string): Promise<Start> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: copy,
    env: { ...environmentOf(copy), FJORD_PORT: String(port), FJORD_STATE: join(copy, ".fjord") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithUs(child);
  const times: number[] = [];
  let output = "";
  try {
    const key = await new Promise<string>((resolve, reject) => {
      const fail = () => reject(new Error(`npm start was not ready:\n${output}`));
      const timer = setTimeout(fail, READY_MS);
      child.on("exit", fail);
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          while (times.length < ENDS.length && ENDS[times.length]!.test(output)) times.push(performance.now());
          const [, key] = /^API key: (\S+)$/m.exec(output) ?? [];
          if (key === undefined) return;
          clearTimeout(timer);
          child.off("exit", fail);
          resolve(key);
        });
    });
    await askProduct({ url: `http://127.0.0.1:${port}`, key }, SQL);
    times.push(performance.now());
  } finally {
    await endProcess(child, "SIGTERM");
  }
  const entries = PHASES.map((phase, i) => [phase, (times[i]! - (times[i - 1] ?? startedAt)) / 1_000]);
  return Object.fromEntries(entries) as Start;
}

/** The environment that a newcomer has: this process's, without what the project's own tools have put into it. */
function environmentOf(copy: string): NodeJS.ProcessEnv {
  const own = dirname(process.execPath);
  const path = (process.env["PATH"] ?? "").split(":").filter((folder) => folder !== own && !folder.startsWith(ROOT));
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return { ...env, PATH: path.join(":"), INIT_CWD: copy };
}
