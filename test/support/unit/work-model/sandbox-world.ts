// A sandbox that a test has in its hands: it takes orders, and runs them as it is told, over the real internal routes.

import type { RunOrder, RunReport } from "../../../../kernel/wire/sandbox.ts";
import { Unavailable } from "../../../../src/platform/container/client.ts";
import type { UnavailableReason } from "../../../../src/platform/container/unavailable.ts";
import type { Sandbox } from "../../../../src/platform/sandbox/sandbox.ts";
import { SANDBOX } from "../../../../src/platform/sandbox/sandbox-object.ts";
import { fakeSandbox, reportOf } from "../fake-sandbox.ts";
import { LOSSY_QUEUE } from "./lossy-queue.ts";

type SandboxRun = { order: RunOrder; startedAtMs: number; hasBegun: boolean; report: RunReport | null };

export type SandboxWorld = ReturnType<typeof newSandboxWorld>;

export function newSandboxWorld(clock: { nowMs: number }) {
  const { senderOf } = fakeSandbox({}, LOSSY_QUEUE);
  const world = {
    runs: new Map<string, SandboxRun>(),
    /** The runs whose code has begun, as often as it has. */
    begun: [] as string[],
    /** Called before each thing that is asked of the sandbox: throw to break it there. */
    onCall: (_name: string): void | Promise<void> => undefined,
    /** Why an order gets no answer, and whether it was taken all the same. */
    onOrder: (): { reason: UnavailableReason; isTaken: boolean } | undefined => undefined,

    /** Asks whether the run is wanted, and begins it if so; a sign of life where it has begun. */
    async beat(run: SandboxRun): Promise<void> {
      const { status, body } = await senderOf(run.order)("heartbeat", { running: [] });
      if (status !== 200 || body.cancelled) return void world.runs.delete(run.order.runId);
      if (run.hasBegun) return;
      run.hasBegun = true;
      world.begun.push(run.order.runId);
    },
    /** `isLost`: the sandbox has its report, and nobody hears of it unless they ask. */
    async end(run: SandboxRun, outcome: RunReport["outcome"], isLost: boolean): Promise<void> {
      run.report = { ...reportOf(run.order, { outcome }), error: outcome === "failed" ? "It broke." : null };
      if (isLost) return;
      await senderOf(run.order)("finish", run.report);
      world.runs.delete(run.order.runId);
    },
    client: undefined as unknown as Sandbox,
  };
  const take = (order: RunOrder) =>
    void world.runs.set(order.runId, { order, startedAtMs: clock.nowMs, hasBegun: false, report: null });
  world.client = {
    async start(order) {
      await world.onCall("start");
      const failure = world.onOrder();
      if (!failure || failure.isTaken) take(order);
      if (failure) throw new Unavailable(SANDBOX, failure.reason, "a storm");
    },
    async getRun(runId) {
      await world.onCall("getRun");
      const run = world.runs.get(runId);
      return run && { report: run.report };
    },
    remove: async () => world.runs.clear(),
    async cancelRun(runId) {
      await world.onCall("cancelRun");
      return world.runs.delete(runId);
    },
    wake: () => Promise.reject(new Error("Nobody wakes it here.")),
    probe: async () => true,
    run: () => Promise.reject(new Error("Nobody waits for a run here.")),
    putEnvelope: () => Promise.reject(new Error("There is no webhook here.")),
  };
  return world;
}
