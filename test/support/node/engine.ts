// A real engine as a child process, for tests that speak its protocol.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { EngineEnvironment, Statement } from "../../../containers/engine/protocol.ts";

const main = fileURLToPath(new URL("../../../containers/engine/main.ts", import.meta.url));
const startMs = 20_000;

export type Engine = {
  url: string;
  secret: string;
  pid: number;
  /** Everything it has printed so far. */
  printed(): string;
  /** A request with the secret; `body` is sent as JSON. */
  call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response>;
  /** Asks it to stop and answers with its exit code, or null when it had to be killed. */
  stop(): Promise<number | null>;
};

export async function startEngine(options: { hostsAllowed: EngineEnvironment["HOSTS_ALLOWED"]; platformUrl?: string; s3Dial?: string }): Promise<Engine> {
  const secret = randomBytes(24).toString("hex");
  const environment: EngineEnvironment = {
    ENGINE_SECRET: secret,
    PLATFORM_URL: options.platformUrl ?? "http://127.0.0.1:9",
    S3_DIAL: options.s3Dial ?? "",
    HOSTS_ALLOWED: options.hostsAllowed,
  };
  const child = spawn(process.execPath, [main], { env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  // A test that fails before its stop leaves no engine behind.
  const orphan = () => void child.kill("SIGKILL");
  process.once("exit", orphan);
  void exited.then(() => process.off("exit", orphan));
  const lines: string[] = [];
  const started = Promise.withResolvers<number>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      const port = /"engine\.listening","port":(\d+)/.exec(line)?.[1];
      if (port) started.resolve(Number(port));
    });
  }
  const fail = () => started.reject(new Error(`The engine did not start:\n${lines.join("\n")}`));
  const timer = setTimeout(fail, startMs);
  void exited.then(fail);
  const port = await started.promise.finally(() => clearTimeout(timer)).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });

  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    secret,
    pid: child.pid!,
    printed: () => lines.join("\n"),
    call: (method, path, body, signal) =>
      fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      }),
    async stop() {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), 15_000);
      const code = await exited;
      clearTimeout(kill);
      return code;
    },
  };
}

/** A statement with room to spare; give what matters to the test. */
export const aStatement = (more: Pick<Statement, "sql" | "target"> & Partial<Statement>): Statement => ({
  id: crypto.randomUUID(),
  format: "json",
  numbers: "exact",
  deadlineMs: 60_000,
  leaseMs: 60_000,
  rowsMax: 100_000,
  bytesMax: 64 * 1024 * 1024,
  ...more,
});
