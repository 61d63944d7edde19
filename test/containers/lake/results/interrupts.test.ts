// Query processes that are to stop: a statement ends as cancelled and logs nothing, and a process ends with its engine.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Order } from "../../../../containers/engine/lake/process/messages.ts";

const LONG = "SELECT count(*) AS n FROM range(100000) a, range(10000000) b WHERE (a.range * b.range) % 7 = 3";

const run = (body: string, setup: string[]): Order => ({
  do: "run",
  body,
  setup,
  explain: undefined,
  paths: [],
  values: [],
  isSteady: true,
  filters: [],
  requestId: "r",
  result: { format: "json", numbers: "exact", rowsMax: 10, bytesMax: 1_000 },
});

/** A query process, and what it has sent and logged so far. */
function startProgram() {
  const directory = mkdtempSync(join(tmpdir(), "fjord-interrupts-"));
  mkdirSync(join(directory, "tmp"));
  const limits = { threads: 1, memoryMb: 300, spillMb: 10, residueMb: 1_000 };
  const program = resolve("containers/engine/lake/process/program.ts");
  const child = spawn(process.execPath, [program], {
    cwd: directory,
    env: { PATH: process.env.PATH, QUERY_LIMITS: JSON.stringify(limits) },
    stdio: ["ignore", "ignore", "pipe", "pipe", "ipc"],
  });
  const said = { logged: "", sent: "" };
  child.stderr!.on("data", (bytes: Buffer) => (said.logged += String(bytes)));
  (child.stdio[3] as Readable).on("data", (bytes: Buffer) => (said.sent += bytes.toString("latin1")));
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  });
  const timesReady = (): number => said.sent.split('"keys"').length - 1;
  return { child, said, timesReady };
}

describe("a statement that is interrupted", () => {
  it("while its tables are made is cancelled, and logs nothing", async () => {
    const { child, said, timesReady } = startProgram();
    await expect.poll(timesReady, { timeout: 30_000 }).toBe(1);
    child.send(run("SELECT 1", [`CREATE TABLE t AS ${LONG}`]));
    // An order that comes before the statement has begun would hit nothing: it is given until it hits.
    const interrupted = (): string => {
      child.send({ do: "interrupt" });
      return said.sent;
    };
    await expect.poll(interrupted, { timeout: 60_000 }).toContain('"failure"');
    expect(said.sent).toContain('"code":"cancelled"');
    // What it logs it logs before it is ready again.
    await expect.poll(timesReady, { timeout: 30_000 }).toBe(2);
    expect(said.logged).toBe("");
  });
});

it("a query process whose engine is gone ends at once, whatever runs in it", async () => {
  const { child, said, timesReady } = startProgram();
  await expect.poll(timesReady, { timeout: 30_000 }).toBe(1);
  child.send(run(LONG, []));
  await expect.poll(() => said.sent, { timeout: 30_000 }).toContain("BIGINT");
  child.disconnect();
  await expect.poll(() => child.exitCode ?? child.signalCode, { timeout: 15_000 }).toBe("SIGKILL");
});
