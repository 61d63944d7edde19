// The Worker's client of a sandbox, against a real sandbox that the supervisor runs.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openSandbox } from "../../../../src/platform/sandbox/sandbox.ts";

const streamOf = (text: string) => new Response(text).body!;
const sandbox = openSandbox(env, crypto.randomUUID());

describe("openSandbox", () => {
  it("starts nothing for a probe or a cancellation", async () => {
    expect([await sandbox.probe(), await sandbox.cancelRun("nobody")]).toEqual([true, false]);
  });

  it("streams an envelope through and answers what is in it", async () => {
    expect(
      await sandbox.putEnvelope(
        crypto.randomUUID(),
        streamOf('{"data": {"id": 9007199254740993}, "datasetKeys": ["a"]}'),
      ),
    ).toEqual({ datasetKeys: ["a"], environmentNames: [], dataBytes: 24 });
    expect(await sandbox.putEnvelope(crypto.randomUUID(), null)).toEqual({
      datasetKeys: null,
      environmentNames: [],
      dataBytes: null,
    });
  });

  it("passes an envelope's flaws on", async () => {
    await expect(
      sandbox.putEnvelope(crypto.randomUUID(), streamOf('{"environmentVariables": {"PATH": "/"}}')),
    ).rejects.toMatchObject({ code: "validation_failed", flaws: [{ pointer: "/environmentVariables/PATH" }] });
  });

  it("answers a run's report, though the platform is not there to be told", async () => {
    const runId = crypto.randomUUID();
    const dataset = {
      key: "main",
      executionId: crypto.randomUUID(),
      dependsOn: [],
      timeoutMs: 60_000,
      engine: "python" as const,
      code: "1 / 0",
      inputs: [],
      requirements: [],
    };
    const order = {
      runId,
      teamId: "team",
      docId: "doc",
      token: "token",
      apiKey: "key",
      deadlineMs: 120_000,
      hasEnvelope: false,
      internet: false,
      datasets: [dataset],
    };
    expect(await sandbox.run(order, AbortSignal.timeout(200_000))).toMatchObject({
      runId,
      outcome: "failed",
      datasets: [{ success: false, error: "ZeroDivisionError: division by zero (line 1)" }],
    });
  });
});
