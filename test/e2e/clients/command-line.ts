// The command line as its users have it: one bundled file, run as a process with a home of its own.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../support/node/platform/platform.ts";

export type Outcome = { code: number | null; stdout: string; stderr: string };
/** `folder`: where the command runs, if not in the command line's own. `to`: what a shell has standard output go to. */
type Options = {
  input?: string;
  env?: Record<string, string>;
  interruptOnce?: Promise<unknown>;
  folder?: string;
  to?: string;
};

const BUILD_MS = 60_000;
const RUN_MS = 90_000;

export type CommandLine = {
  /** The folder in which commands run. */
  folder: string;
  run(args: string[], options?: Options): Promise<Outcome>;
  remove(): Promise<void>;
};

export async function makeCommandLine(): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), "fjord-cli-"));
  const bundle = join(folder, "fjord.mjs");
  const built = await runNode([join(root, "clients/cli/build.mjs"), bundle], { folder, ms: BUILD_MS });
  if (built.code !== 0) throw new Error(built.stderr);
  const home = { HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") };
  return {
    folder,
    run: (args, { env, ...options } = {}) =>
      runNode([bundle, ...args], { folder, ms: RUN_MS, env: { ...home, ...env }, ...options }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

type NodeRun = Options & { folder: string; ms: number };

function runNode(args: string[], { folder, ms, input = "", env, interruptOnce, to }: NodeRun): Promise<Outcome> {
  const shell = ["bash", "-o", "pipefail", "-c", `"$0" "$@" ${to}`];
  const [program, ...words] = [...(to === undefined ? [] : shell), process.execPath, ...args];
  const child = spawn(program!, words, { cwd: folder, env: { PATH: process.env["PATH"], ...env } });
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => undefined).end(input);
  void interruptOnce?.then(() => child.kill("SIGINT"));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    });
  });
}
