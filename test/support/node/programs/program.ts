// A container's program as a child process of the tests.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { endProcess, endWithUs } from "../servers/server-process.ts";

const STOP_MS = 15_000;

export type Program<Listening> = {
  pid: number;
  url: string;
  /** What it logged when it began to listen. */
  listening: Listening;
  /** Everything it has printed so far. */
  printed(): string;
  /** Asks it to stop and answers with its exit code, or null when it had to be killed. */
  stop(): Promise<number | null>;
};

/** Starts `containers/<name>/main.ts` on a free port, in this environment alone. `through`: what becomes it. */
export async function startProgram<Listening extends { port: number }>(
  name: "engine" | "sandbox",
  environment: NodeJS.ProcessEnv,
  startMs: number,
  through: string[] = [],
): Promise<Program<Listening>> {
  const main = fileURLToPath(new URL(`../../../../containers/${name}/main.ts`, import.meta.url));
  const [file = "", ...args] = [...through, process.execPath, main];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOST: "127.0.0.1", PORT: "0", ...environment };
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  // A test that fails before its stop leaves no program behind.
  endWithUs(child);
  const lines: string[] = [];
  const started = Promise.withResolvers<Listening>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (line.includes(`"${name}.listening"`)) started.resolve(JSON.parse(line) as Listening);
    });
  }
  const fail = () => started.reject(new Error(`The ${name} did not start:\n${lines.join("\n")}`));
  const timer = setTimeout(fail, startMs);
  void exited.then(fail);
  const listening = await started.promise
    .finally(() => clearTimeout(timer))
    .catch((error: unknown) => {
      child.kill("SIGKILL");
      throw error;
    });
  return {
    pid: child.pid!,
    url: `http://127.0.0.1:${listening.port}`,
    listening,
    printed: () => lines.join("\n"),
    stop: () => endProcess(child, "SIGTERM", STOP_MS),
  };
}
