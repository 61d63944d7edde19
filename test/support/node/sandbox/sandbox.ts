// A real sandbox as a child process, for tests that speak its protocol.

import { randomBytes } from "node:crypto";
import {
  SANDBOX_VERSION_HEADER,
  RunReport,
  SandboxFailure,
  type DatasetReport,
  type RunDataset,
  type RunOrder,
  type SandboxEnvironment,
  type SandboxStatus,
} from "../../../../kernel/wire/sandbox.ts";
import { startProgram, type Program } from "../programs/program.ts";
import { type RunPlatformStandIn, STORE_PATH } from "./run-platform.ts";

/** It tries its jails, each with a start of Python. */
const START_MS = 60_000;

export type Sandbox = Omit<Program<unknown>, "listening"> & {
  secret: string;
  jail: SandboxStatus["jail"];
  drive: "mount" | "mirror";
  call(method: string, path: string, body?: Body): Promise<Response>;
  /** Runs datasets to the end. */
  run(datasets: RunDataset[], more?: Partial<RunOrder>): Promise<RunReport>;
  /** Runs one Python dataset and answers its report. */
  python(code: string, more?: Partial<PythonDataset>, order?: Partial<RunOrder>): Promise<DatasetReport>;
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

/** `through`: a command that becomes the sandbox, of another user or with fewer rights. */
export async function startSandbox(
  platform: RunPlatformStandIn,
  environment: Record<string, string> = {},
  through: string[] = [],
): Promise<Sandbox> {
  const secret = randomBytes(24).toString("hex");
  // The strongest jail this machine gives is what is tested, even where that is a weak one.
  const own: SandboxEnvironment = {
    SANDBOX_SECRET: secret,
    PLATFORM_URL: platform.url,
    S3_DIAL: "",
    S3_ENDPOINT: `${platform.url}${STORE_PATH}`,
    WEAK_JAIL_ALLOWED: "yes",
  };
  const { HOME, TMPDIR, SANDBOX_JAIL } = process.env;
  const all = { HOME, TMPDIR, SANDBOX_JAIL, ...own, ...environment };
  const { url, pid, listening, printed, stop } = await startProgram<Listening>("sandbox", all, START_MS, through);
  const call = (method: string, path: string, body?: Body) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}` },
      ...(body === undefined ? {} : { body, duplex: "half" }),
    });
  const run = async (datasets: RunDataset[], more: Partial<RunOrder> = {}) => {
    const order = anOrder(datasets, more);
    const response = await call("POST", `/runs/${order.runId}`, JSON.stringify(order));
    if (!response.ok || !response.headers.has(SANDBOX_VERSION_HEADER))
      throw new Error(`${response.status}: ${JSON.stringify(SandboxFailure.parse(await response.json()))}`);
    return RunReport.parse(await response.json());
  };
  return {
    url,
    secret,
    pid,
    jail: listening.jail,
    drive: listening.drive,
    printed,
    stop,
    call,
    run,
    python: async (code, more, order) => (await run([aDataset(code, more)], order)).datasets[0]!,
  };
}
