// A statement that is interrupted ends as cancelled, and says nothing to the engine's log.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
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
  requestId: "r",
  result: { format: "json", numbers: "exact", rowsMax: 10, bytesMax: 1_000 },
});

describe("a statement that is interrupted", () => {
  it("while its tables are made is cancelled, and logs nothing", async () => {
    const directory = mkdtempSync(join(tmpdir(), "fjord-interrupts-"));
    mkdirSync(join(directory, "tmp"));
    const limits = { threads: 1, memoryMb: 300, spillMb: 10, residueMb: 1_000 };
    const program = resolve("containers/engine/lake/process/program.ts");
    const child = spawn(process.execPath, [program], {
      cwd: directory,
      env: { PATH: process.env.PATH, QUERY_LIMITS: JSON.stringify(limits) },
      stdio: ["ignore", "ignore", "pipe", "pipe", "ipc"],
    });
    let [logged, sent] = ["", ""];
    child.stderr!.on("data", (bytes: Buffer) => (logged += String(bytes)));
    (child.stdio[3] as Readable).on("data", (bytes: Buffer) => (sent += bytes.toString("latin1")));
    try {
      await expect.poll(() => sent, { timeout: 30_000 }).toContain('"keys"');
      child.send(run("SELECT 1", [`CREATE TABLE t AS ${LONG}`]));
      // An order that comes before the statement has begun would hit nothing: it is given until it hits.
      await expect
        .poll(
          () => {
            child.send({ do: "interrupt" });
            return sent;
          },
          { timeout: 60_000 },
        )
        .toContain('"failure"');
      expect(sent).toContain('"code":"cancelled"');
      // What it logs it logs before it is ready again.
      await expect.poll(() => sent.split('"keys"').length, { timeout: 30_000 }).toBe(3);
      expect(logged).toBe("");
    } finally {
      child.kill("SIGKILL");
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
