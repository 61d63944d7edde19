import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EVENT_LIMITS } from "../../../../src/core/events/limits.ts";
import type { MeterReport, RequestCounts } from "../../../../src/platform/meter/report.ts";
import { TeamBuffer } from "../../../../src/platform/meter/team-buffer.ts";

const ANSWER: RequestCounts = { minute: 0, team: 0, keys: {} };
const START = Date.parse("2100-01-01T00:00:00Z");

/** A buffer, what it has reported, and a meter that answers as it is told. */
function newBuffer(answer: () => Promise<RequestCounts> = async () => ANSWER) {
  const reports: MeterReport[] = [];
  const buffer = new TeamBuffer("team", "isolate", (report) => {
    reports.push(structuredClone(report));
    return answer();
  });
  const query = (durationMs = 1) => buffer.add({ type: "query", durationMs }, Date.now());
  const send = () => ours.run(true, () => buffer.send());
  const counted = () => reports.flatMap(({ events }) => events).reduce((sum, { count }) => sum + count, 0);
  return { buffer, reports, query, send, counted };
}

/** Other buffers of the isolate, which requests of earlier files have left, wait by the real clock. */
const ours = new AsyncLocalStorage<true>();
const waitReally = scheduler.wait.bind(scheduler);
const waitByTest: typeof waitReally = (ms, { signal } = {}) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Time is the test's: `scheduler.wait` too. */
beforeEach(() => {
  vi.useFakeTimers({ now: START });
  const wait: typeof waitReally = (ms, options) => (ours.getStore() ? waitByTest : waitReally)(ms, options);
  vi.stubGlobal("scheduler", { wait });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("what an isolate counts of a team", () => {
  it("is handed over at most once a second, whole, and by one request at a time", async () => {
    const { buffer, reports, query, counted, send } = newBuffer();
    for (let ms = 0; ms < 10_000; ms += 50) {
      query();
      void send();
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(reports.length).toBeGreaterThanOrEqual(10);
    expect(reports.length).toBeLessThanOrEqual(11);
    await vi.advanceTimersByTimeAsync(EVENT_LIMITS.meterReportEveryMs);
    expect(counted()).toBe(200);
    expect(buffer.isEmpty).toBe(true);
  });

  it("is handed over within a second, with no further request", async () => {
    const { query, counted, send } = newBuffer();
    query();
    void send();
    await vi.advanceTimersByTimeAsync(1);
    query();
    void send();
    expect(send()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(EVENT_LIMITS.meterReportEveryMs);
    expect(counted()).toBe(2);
  });

  it("is sent again as it was, under its number, until the meter answers", async () => {
    let failures = 3;
    const { reports, query, send } = newBuffer(async () => {
      if (failures-- > 0) throw new Error("lost");
      return ANSWER;
    });
    query(1);
    void send();
    await vi.advanceTimersByTimeAsync(10);
    query(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reports.map(({ sequence }) => sequence)).toEqual([1, 1, 1, 1, 2]);
    expect(new Set(reports.slice(0, 4).map((report) => JSON.stringify(report))).size).toBe(1);
    expect(reports[4]!.events).toMatchObject([{ count: 1, sumMs: 2 }]);
  });

  it("does not wait for a meter that never answers, nor for a request that has died", async () => {
    const { reports, query, send } = newBuffer(() => new Promise(() => undefined));
    query();
    void send();
    await vi.advanceTimersByTimeAsync(EVENT_LIMITS.meterReportMs + EVENT_LIMITS.meterReportEveryMs);
    expect(reports.map(({ sequence }) => sequence)).toEqual([1, 1]);
    // The request that sends counts as gone once its time is over, and the next one takes over.
    vi.setSystemTime(Date.now() + EVENT_LIMITS.meterSendingMs);
    expect(send()).toBeDefined();
  });

  it("stays small while the meter is silent for a day, and loses no event", async () => {
    const { reports, query, counted, send } = newBuffer();
    for (let minute = 0; minute < 1_440; minute++) {
      query();
      vi.setSystemTime(Date.now() + 60_000);
    }
    void send();
    await vi.advanceTimersByTimeAsync(1);
    expect(reports).toHaveLength(1);
    expect(reports[0]!.events.length).toBeLessThanOrEqual(EVENT_LIMITS.meterReportRowsMax);
    expect(counted()).toBe(1_440);
  });
});
