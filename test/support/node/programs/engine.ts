// A real engine as a child process, for tests that speak its protocol.

import { randomBytes } from "node:crypto";
import type { EngineEnvironment } from "../../../../kernel/wire/engine-program.ts";
import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { startProgram, type Program } from "./program.ts";

const START_MS = 20_000;

export type Engine = Omit<Program<unknown>, "listening"> & {
  secret: string;
  /** A request with the secret; `body` is sent as JSON. */
  call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response>;
};

export async function startEngine(options: {
  hostsAllowed: EngineEnvironment["HOSTS_ALLOWED"];
  platformUrl?: string;
  s3Dial?: string;
}): Promise<Engine> {
  const secret = randomBytes(24).toString("hex");
  const environment: EngineEnvironment = {
    ENGINE_SECRET: secret,
    PLATFORM_URL: options.platformUrl ?? "http://127.0.0.1:9",
    S3_DIAL: options.s3Dial ?? "",
    HOSTS_ALLOWED: options.hostsAllowed,
  };
  const { url, pid, printed, stop } = await startProgram("engine", environment, START_MS);
  return {
    url,
    secret,
    pid,
    printed,
    stop,
    call: (method, path, body, signal) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      }),
  };
}

/** A statement within generous bounds; give what matters to the test. */
export const aStatement = (more: Pick<StatementRequest, "target"> & Partial<StatementRequest>): StatementRequest => ({
  id: crypto.randomUUID(),
  format: "json",
  numbers: "exact",
  deadlineMs: 60_000,
  leaseMs: 60_000,
  rowsMax: 100_000,
  bytesMax: 64 * 1024 * 1024,
  ...more,
});
