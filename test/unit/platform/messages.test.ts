import { describe, expect, it, vi } from "vitest";
import { openWakeUps, WakeUp } from "../../../src/platform/messages.ts";

const over = (partial: Partial<Queue>) => {
  const queue = partial as Queue;
  return openWakeUps({ WAKE_UPS: queue, ALERT_WAKE_UPS: queue, CLEANUP_WAKE_UPS: queue });
};
const subjects = (count: number) => Array.from({ length: count }, (_, id) => ({ teamId: "team", id: String(id) }));

describe("wake-up messages", () => {
  it("have the form that their consumer reads, and nothing else of their subject", async () => {
    const sent: unknown[] = [];
    const queue = over({ send: (async (body: unknown) => void sent.push(body)) as unknown as Queue["send"] });
    const run = { teamId: "team", id: "run", state: "queued" };
    await queue.send("sync_run", run);
    expect(sent).toEqual([{ kind: "sync_run", version: 1, teamId: "team", id: "run" }]);
    expect(WakeUp.safeParse(sent[0]).success).toBe(true);
  });

  it.each([
    ["WAKE_UPS", ["automation_run", "rights_lost", "sync_run"]],
    ["ALERT_WAKE_UPS", ["alert_delivery", "outgoing_message"]],
    ["CLEANUP_WAKE_UPS", ["lake_collection", "lake_removal", "team_removal"]],
  ])(
    "of runs and rights, of what waits for receivers and of what empties the bucket share no queue: %s",
    async (name, kinds) => {
      const sent: string[] = [];
      const queueOf = (own: string) =>
        ({ send: async ({ kind }: WakeUp) => void (own === name && sent.push(kind)) }) as unknown as Queue;
      const queues = openWakeUps({
        WAKE_UPS: queueOf("WAKE_UPS"),
        ALERT_WAKE_UPS: queueOf("ALERT_WAKE_UPS"),
        CLEANUP_WAKE_UPS: queueOf("CLEANUP_WAKE_UPS"),
      });
      for (const kind of WakeUp.shape.kind.options) await queues.send(kind, { teamId: "t", id: "i" });
      expect(sent.sort()).toEqual(kinds);
    },
  );

  it.each([
    [-5, 0],
    [1, 1],
    [1_500, 2],
    [10 ** 9, 43_200],
  ])("are held back for whole seconds, for as long as a queue can: %d ms", async (delayMs, seconds) => {
    const delays: unknown[] = [];
    const send = async (_: unknown, options?: QueueSendOptions) => void delays.push(options?.delaySeconds);
    await over({ send: send as unknown as Queue["send"] }).send("sync_run", { teamId: "t", id: "r" }, delayMs);
    expect(delays).toEqual([seconds]);
  });

  it("go out a hundred at a time", async () => {
    const sizes: number[] = [];
    const sendBatch = async (batch: Iterable<unknown>) => void sizes.push([...batch].length);
    const queue = over({ sendBatch: sendBatch as unknown as Queue["sendBatch"] });
    expect(await queue.sendAll("lake_removal", subjects(201))).toBe(201);
    expect(await queue.sendAll("lake_removal", [])).toBe(0);
    expect(sizes).toEqual([100, 100, 1]);
  });

  it("that can't be sent are logged, and fail nobody: a sweep makes up for them", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const fail = () => Promise.reject(new Error("full"));
    const queue = over({ send: fail, sendBatch: fail });
    expect(await queue.send("sync_run", { teamId: "t", id: "r" })).toBe(false);
    expect(await queue.sendAll("sync_run", subjects(3))).toBe(0);
    expect(logged.mock.calls.map(([line]) => JSON.parse(line).messages)).toEqual([1, 3]);
    logged.mockRestore();
  });
});
