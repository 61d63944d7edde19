// A real sandbox as a child process, for tests that speak its protocol.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SANDBOX_MARK, RunReport, SandboxFailure, type DatasetReport, type RunDataset, type RunOrder, type SandboxEnvironment, type SandboxStatus } from "../../../containers/sandbox/protocol.ts";
import { RunPlatformStandIn, STORE_PATH } from "./run-platform.ts";

const main = fileURLToPath(new URL("../../../containers/sandbox/main.ts", import.meta.url));
/** It tries its jails, each with a start of Python. */
const startMs = 60_000;

export type Sandbox = {
  url: string;
  secret: string;
  pid: number;
  jail: SandboxStatus["jail"];
  drive: "mount" | "mirror";
  printed(): string;
  call(method: string, path: string, body?: Body): Promise<Response>;
  /** Runs datasets to the end. */
  run(datasets: RunDataset[], more?: Partial<RunOrder>): Promise<RunReport>;
  /** Runs one Python dataset and answers its report. */
  python(code: string, more?: Partial<PythonDataset>, order?: Partial<RunOrder>): Promise<DatasetReport>;
  stop(): Promise<number | null>;
};

type Listening = { port: number; jail: SandboxStatus["jail"]; drive: Sandbox["drive"] };
type Body = string | Buffer | ReadableStream<Uint8Array>;
type PythonDataset = Extract<RunDataset, { engine: "python" }>;

export const aDataset = (code: string, more: Partial<PythonDataset> = {}): PythonDataset => ({
  key: "main",
  executionId: crypto.randomUUID(),
  dependsOn: [],
  timeoutMs: 20_000,
  engine: "python",
  code,
  inputs: [],
  requirements: [],
  ...more,
});

export const anOrder = (datasets: RunDataset[], more: Partial<RunOrder> = {}): RunOrder => ({
  runId: crypto.randomUUID(),
  teamId: "team",
  docId: "doc",
  token: "run-token",
  apiKey: "run-key",
  deadlineMs: 60_000,
  hasEnvelope: false,
  internet: false,
  datasets,
  ...more,
});

export async function startSandbox(platform: RunPlatformStandIn, environment: Record<string, string> = {}): Promise<Sandbox> {
  const secret = randomBytes(24).toString("hex");
  // The strongest jail this machine gives is what is tested, even where that is a weak one.
  const own: SandboxEnvironment = { SANDBOX_SECRET: secret, PLATFORM_URL: platform.url, S3_DIAL: "", S3_ENDPOINT: `${platform.url}${STORE_PATH}`, WEAK_JAIL_ALLOWED: "yes" };
  const { PATH, HOME, TMPDIR, SANDBOX_JAIL } = process.env;
  const child = spawn(process.execPath, [main], {
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...(SANDBOX_JAIL === undefined ? {} : { SANDBOX_JAIL }), HOST: "127.0.0.1", PORT: "0", ...own, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const orphan = () => void child.kill("SIGKILL");
  process.once("exit", orphan);
  void exited.then(() => process.off("exit", orphan));
  const lines: string[] = [];
  const started = Promise.withResolvers<Listening>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (line.includes('"sandbox.listening"')) started.resolve(JSON.parse(line) as Listening);
    });
  }
  const fail = () => started.reject(new Error(`The sandbox did not start:\n${lines.join("\n")}`));
  const timer = setTimeout(fail, startMs);
  void exited.then(fail);
  const { port, jail, drive } = await started.promise.finally(() => clearTimeout(timer)).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });

  const url = `http://127.0.0.1:${port}`;
  const call = (method: string, path: string, body?: Body) => fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${secret}` }, ...(body === undefined ? {} : { body, duplex: "half" }) });
  const run = async (datasets: RunDataset[], more: Partial<RunOrder> = {}) => {
    const order = anOrder(datasets, more);
    const response = await call("POST", `/runs/${order.runId}`, JSON.stringify(order));
    if (!response.ok || !response.headers.has(SANDBOX_MARK)) throw new Error(`${response.status}: ${JSON.stringify(SandboxFailure.parse(await response.json()))}`);
    return RunReport.parse(await response.json());
  };
  return {
    url,
    secret,
    pid: child.pid!,
    jail,
    drive,
    printed: () => lines.join("\n"),
    call,
    run,
    python: async (code, more, order) => (await run([aDataset(code, more)], order)).datasets[0]!,
    async stop() {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), 15_000);
      const code = await exited;
      clearTimeout(kill);
      return code;
    },
  };
}
