import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs } from "../../../../kernel/jobs/backoff.ts";
import { attemptOfJob, newJobId } from "../../../../src/core/job-id.ts";
import { newId } from "../../../../src/core/ids.ts";
import { intervalMs, nextDue, offsetMs, SCHEDULES } from "../../../../src/core/schedule/schedule.ts";

const schedule = fc.constantFrom(...SCHEDULES);
const instant = fc.date({ min: new Date("2000-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });

describe("nextDue", () => {
  it("lies within the next interval, and never on what has passed", () => {
    fc.assert(
      fc.property(schedule, fc.uuid(), instant, (every, id, after) => {
        const waitMs = nextDue(every, id, after).getTime() - after.getTime();
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(intervalMs(every));
      }),
    );
  });

  it("is one interval after another", () => {
    fc.assert(
      fc.property(schedule, fc.uuid(), instant, (every, id, after) => {
        const first = nextDue(every, id, after);
        expect(nextDue(every, id, first).getTime() - first.getTime()).toBe(intervalMs(every));
      }),
    );
  });

  it("passes over ticks that were missed", () => {
    const [id, day] = [newId(), 24 * 3_600_000];
    const tick = nextDue("hourly", id, new Date("2100-01-01T00:00:00Z"));
    const back = new Date(tick.getTime() + day + 1);
    expect(nextDue("hourly", id, back).getTime()).toBe(tick.getTime() + day + 3_600_000);
  });

  it("spreads ten thousand hourly syncs over the hour", () => {
    const perMinute = new Array<number>(60).fill(0);
    const now = Date.now();
    for (let index = 0; index < 10_000; index++)
      perMinute[Math.floor(offsetMs("hourly", newId(new Date(now + (index % 5)))) / 60_000)]!++;
    expect(Math.max(...perMinute)).toBeLessThan(2 * (10_000 / 60));
    expect(Math.min(...perMinute)).toBeGreaterThan(0.5 * (10_000 / 60));
  });
});

it("backs off longer each time, up to its bound, and alike for the same seed", () => {
  const bounds = { baseMs: 1_000, maxMs: 60_000 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.string(), (failures, seed) => {
      const wait = backoffMs(failures, bounds, seed);
      const whole = Math.min(60_000, 1_000 * 2 ** (failures - 1));
      expect(wait).toBeGreaterThanOrEqual(whole / 2);
      expect(wait).toBeLessThanOrEqual(whole);
      expect(backoffMs(failures, bounds, seed)).toBe(wait);
    }),
  );
});

it("tells a job's run and attempt by its id", () => {
  const runId = newId();
  expect(attemptOfJob(newJobId(runId, 12))).toEqual({ runId, attempt: 12 });
  expect(attemptOfJob(runId)).toEqual({ runId, attempt: 1 });
  expect(newJobId(runId, 1)).not.toBe(newJobId(runId, 1));
});
