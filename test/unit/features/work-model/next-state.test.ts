import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/core/limits.ts";
import { SYNC_LIMITS } from "../../../../src/features/syncs/limits.ts";
import { WORK_LIMITS } from "../../../../src/features/work-model/limits.ts";
import {
  claimRun,
  hasEnded,
  nextMove,
  nextState,
  wasLeftAlone,
  type Observation,
  type Policy,
  type RunState,
} from "../../../../src/features/work-model/next-state.ts";

const start = Date.parse("2100-01-01T00:00:00Z");

const newRun = (rest: Partial<RunState> = {}): RunState => ({
  id: "run",
  state: "queued",
  attempt: 0,
  workId: null,
  fence: null,
  refusals: 0,
  breaks: 0,
  absences: 0,
  dueAtMs: start,
  claimedUntilMs: null,
  cancelRequested: false,
  startedAtMs: null,
  deadlineAtMs: start + LIMITS.syncRunMsMax,
  error: null,
  ...rest,
});

const running = (rest: Partial<RunState> = {}) =>
  newRun({ state: "running", attempt: 1, workId: "job", fence: 7, startedAtMs: start, ...rest });
const failed = (retryable: boolean): Observation => ({ kind: "ended", outcome: "failed", error: "why", retryable });

const RETRY_MS_BASE = 30_000;
const POLICY: Policy = {
  attemptsMax: SYNC_LIMITS.attemptsMax,
  retryMsBase: RETRY_MS_BASE,
  retryMsMax: SYNC_LIMITS.retryMsMax,
  runMsMax: LIMITS.syncRunMsMax,
  overtime: { state: "failed", reason: "The run was given up after 24 hours." },
  worker: "engine",
};
const STEP_END = { nowMs: start, policy: POLICY };

describe("nextMove", () => {
  it.each([
    ["begins a queued run that is due", newRun(), 0, "begin"],
    ["leaves a queued run that is not due", newRun({ dueAtMs: start + 60_000 }), 0, "wait"],
    ["leaves a run that somebody works on", running({ claimedUntilMs: start + 1 }), 0, "wait"],
    [
      "takes up a run whose worker died",
      newRun({ state: "starting", attempt: 1, workId: "job", claimedUntilMs: start, dueAtMs: start }),
      0,
      "start",
    ],
    ["watches a running run", running(), 0, "watch"],
    [
      "stops a running run that was cancelled, due or not",
      running({ cancelRequested: true, dueAtMs: start + 60_000 }),
      0,
      "stop",
    ],
    [
      "ends a queued run that was cancelled without an attempt",
      newRun({ cancelRequested: true, dueAtMs: start + 60_000 }),
      0,
      "end",
    ],
    ["stops a run past its deadline", running({ dueAtMs: start + LIMITS.syncRunMsMax }), LIMITS.syncRunMsMax, "stop"],
    ["leaves a run that has ended", newRun({ state: "failed", cancelRequested: true }), LIMITS.syncRunMsMax, "wait"],
  ] as const)("%s", (_, run, afterMs, move) => expect(nextMove(run, start + afterMs)).toBe(move));
});

describe("nextState", () => {
  const after = (seen: Observation, run = running()) => nextState(run, seen, STEP_END);

  it("retries what is worth it, later each time, and gives up after the last attempt", () => {
    let run = running();
    const waits: number[] = [];
    for (
      ;
      !hasEnded(run);
      run = {
        ...nextState(run, failed(true), STEP_END),
        ...(run.attempt < SYNC_LIMITS.attemptsMax
          ? { state: "running" as const, attempt: run.attempt + 1, workId: "j" }
          : {}),
      }
    ) {
      waits.push(nextState(run, failed(true), STEP_END).dueAtMs - start);
    }
    expect(run).toMatchObject({ state: "failed", attempt: SYNC_LIMITS.attemptsMax, error: "why" });
    const tries = waits.slice(0, -1);
    expect(tries.every((wait, index) => index === 0 || wait > tries[index - 1]! / 2)).toBe(true);
    expect(tries[0]).toBeGreaterThanOrEqual(RETRY_MS_BASE / 2);
  });

  it("fails at once where a retry would not help", () =>
    expect(after(failed(false))).toMatchObject({ state: "failed", attempt: 1, error: "why" }));

  it("uses no attempt where the engine has no room", () => {
    const starting = newRun({ state: "starting", attempt: 3, workId: "job" });
    expect(after({ kind: "no_capacity", error: "full" }, starting)).toMatchObject({
      state: "queued",
      attempt: 2,
      workId: null,
      refusals: 1,
    });
  });

  it.each<[string, Observation, boolean]>([
    ["whose engine says so", { kind: "lost", error: "gone", platformAway: true }, false],
    [
      "whose job ended by that, and could say so afterwards",
      { ...failed(true), platformAway: true } as Observation,
      false,
    ],
    ["that was left alone, whatever became of it", { kind: "lost", error: "gone" }, true],
  ])("counts no attempt that the platform was away for, however many: %s", (_, seen, leftAlone) => {
    let run = running();
    for (let away = 1; away <= 2 * SYNC_LIMITS.attemptsMax; away++) {
      const next = nextState(run, seen, { ...STEP_END, leftAlone });
      expect(next).toMatchObject({
        state: "queued",
        absences: away,
        error: expect.stringContaining("platform was away"),
      });
      run = running({ ...next, state: "running", attempt: next.attempt + 1, workId: "j" });
    }
    // What counts, counts from there.
    for (let tries = 1; tries < SYNC_LIMITS.attemptsMax; tries++) {
      const next = nextState(run, failed(true), STEP_END);
      expect(next.state).toBe("queued");
      run = running({ ...next, state: "running", attempt: next.attempt + 1, workId: "j" });
    }
    expect(nextState(run, failed(true), STEP_END)).toMatchObject({ state: "failed" });
  });

  it("fails at once for what no repeat can mend, and ends what was cancelled, though the platform was away", () => {
    expect(after({ ...failed(false), platformAway: true } as Observation)).toMatchObject({ state: "failed" });
    expect(
      nextState(running({ cancelRequested: true }), { kind: "lost", error: "gone" }, { ...STEP_END, leftAlone: true }),
    ).toMatchObject({ state: "cancelled" });
  });

  it("takes a run for left alone that is looked at long after it was due, and no other", () => {
    const looked = (lateMs: number, run = running()) => wasLeftAlone(run, run.dueAtMs + lateMs);
    expect([
      looked(0),
      looked(WORK_LIMITS.leftAloneMs),
      looked(WORK_LIMITS.leftAloneMs + 1),
      looked(3_600_000, newRun()),
    ]).toEqual([false, false, true, false]);
  });

  it("takes no run for left alone for one wake-up that was lost, by when the sweep has made up for it and that was late too", () => {
    const sweepMs = 60_000;
    const dueAtMs = start;
    expect(wasLeftAlone(running({ dueAtMs }), dueAtMs + 3 * (WORK_LIMITS.wakeUpLostMs + sweepMs))).toBe(false);
  });

  it("counts an attempt whose failure its job told by itself, though the run was left alone", () => {
    const left = (seen: Observation) => nextState(running(), seen, { ...STEP_END, leftAlone: true });
    expect(left(failed(true))).toMatchObject({ state: "queued", absences: 0, error: "why" });
    expect(left({ kind: "ended", outcome: "cancelled", error: null, retryable: false }), "shut down").toMatchObject({
      state: "queued",
      absences: 1,
    });
  });

  it("takes a job that says it was cancelled, though nobody asked, for lost", () => {
    expect(after({ kind: "ended", outcome: "cancelled", error: null, retryable: false })).toMatchObject({
      state: "queued",
      attempt: 1,
    });
  });

  it("is cancelled, not failed, where the attempt of a cancelled run fails", () => {
    expect(after(failed(true), running({ cancelRequested: true }))).toMatchObject({ state: "cancelled" });
  });

  it("has succeeded where its job did before the cancel came through", () => {
    expect(
      after({ kind: "ended", outcome: "succeeded", error: null, retryable: false }, running({ cancelRequested: true })),
    ).toMatchObject({ state: "succeeded", error: null });
  });

  it("says that it took too long, and what went before", () => {
    expect(after({ kind: "stopped" }, running({ error: "full" }))).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/24 hours.*full/),
    });
  });
});

describe("a run whose steps end without a word", () => {
  /** Each step is claimed and never heard of again. Answers the moves, and the run before the last one. */
  const die = (first: RunState) => {
    let run = first;
    let now = start;
    const moves: string[] = [];
    while (moves.length < 3 * WORK_LIMITS.breaksMax) {
      const move = nextMove(run, now);
      if (move === "wait") {
        now += 1_000;
        continue;
      }
      run = claimRun(run, { move, workId: "next", runMsMax: POLICY.runMsMax, nowMs: now });
      moves.push(move);
      if (move === "stop" || move === "end") break;
      now = run.claimedUntilMs!;
    }
    return { run, moves, now };
  };

  it("fails its attempt after as many as may break, long before its deadline, and says why", () => {
    const { run, moves, now } = die(running());
    expect(moves).toEqual([...Array<string>(WORK_LIMITS.breaksMax).fill("watch"), "stop"]);
    expect(now - start).toBeLessThan(LIMITS.syncRunMsMax / 10);
    expect(nextState(run, { kind: "stopped" }, STEP_END)).toMatchObject({
      state: "queued",
      error: expect.stringMatching(/broke 10 times in a row.*more memory or time/),
    });
    const last = { ...run, attempt: SYNC_LIMITS.attemptsMax };
    expect(nextState(last, { kind: "stopped" }, STEP_END)).toMatchObject({ state: "failed" });
  });

  it("is ended even where its stopping ends without a word, too", () => {
    const stopping = running({ breaks: 2 * WORK_LIMITS.breaksMax - 1, claimedUntilMs: start, dueAtMs: start });
    expect(nextMove(stopping, start + WORK_LIMITS.capacityRetryMsMax)).toBe("end");
  });

  it("counts from the beginning once a step has seen something", () => {
    const claimed = claimRun(running({ claimedUntilMs: start, dueAtMs: start }), {
      ...{ move: "watch", workId: "job", runMsMax: POLICY.runMsMax, nowMs: start },
    });
    expect(claimed.breaks).toBe(1);
    expect(nextState(claimed, { kind: "alive" }, STEP_END)).toMatchObject({ state: "running", breaks: 0 });
  });
});

describe("any run", () => {
  const seen: fc.Arbitrary<Observation> = fc.oneof(
    fc.record({
      kind: fc.constant("ended" as const),
      outcome: fc.constantFrom("succeeded" as const, "failed" as const, "cancelled" as const),
      error: fc.constantFrom(null, "e"),
      retryable: fc.boolean(),
      platformAway: fc.boolean(),
    }),
    fc.constant({ kind: "lost" as const, error: "l" }),
    fc.constant({ kind: "alive" as const }),
    fc.constant({ kind: "no_capacity" as const, error: "f" }),
    fc.record({ kind: fc.constant("started" as const), fence: fc.integer({ min: 1 }) }),
  );
  const turn = fc.record({
    seen,
    waitMs: fc.integer({ min: 0, max: 3_600_000 }),
    dies: fc.boolean(),
    cancels: fc.integer({ min: 0, max: 40 }),
  });
  /** What a step of this move can see. */
  const sees = (move: string, candidate: Observation): Observation => {
    if (move === "stop" || move === "end") return { kind: "stopped" };
    const isStart = move === "begin" || move === "start";
    if (isStart && (candidate.kind === "alive" || candidate.kind === "lost")) return { kind: "started", fence: 1 };
    if (!isStart && (candidate.kind === "no_capacity" || candidate.kind === "started")) return { kind: "alive" };
    return candidate;
  };

  it("ends, with dense attempts within their limit, whatever is seen and whoever dies", () => {
    fc.assert(
      fc.property(fc.infiniteStream(turn), (turns) => {
        let run = newRun();
        let now = start;
        let begun = 0;
        for (let step = 0; !hasEnded(run); step++) {
          // By then the deadline has passed for good: only a bounded number of steps may follow.
          expect(step).toBeLessThan(100_000);
          const { value: chance } = turns.next();
          if (!chance) return;
          if (chance.cancels === 0) run = { ...run, cancelRequested: true };
          const move = nextMove(run, now);
          if (move === "wait") {
            now = Math.max(now + 1_000, Math.min(run.dueAtMs, run.deadlineAtMs), run.claimedUntilMs ?? 0);
            continue;
          }
          const claimed = claimRun(run, { move, workId: `job-${step}`, runMsMax: POLICY.runMsMax, nowMs: now });
          if (move === "begin") begun++;
          expect(nextMove(claimed, now)).toBe("wait");
          now += chance.dies ? WORK_LIMITS.stepMs + 1 : 50;
          const saw = sees(move, chance.seen);
          const next = chance.dies
            ? claimed
            : nextState(claimed, saw, { nowMs: now, policy: POLICY, leftAlone: wasLeftAlone(run, now) });
          if (!chance.dies && saw.kind === "no_capacity") begun--;
          expect(next.attempt).toBe(begun);
          expect(next.attempt - next.absences).toBeLessThanOrEqual(SYNC_LIMITS.attemptsMax);
          expect(next.workId !== null).toBe(next.state === "starting" || next.state === "running");
          if (hasEnded(next)) expect(next.claimedUntilMs).toBeNull();
          run = next;
          now += chance.waitMs % 60_000;
        }
        expect(run.state === "failed").toBe(run.error !== null && run.state !== "succeeded");
      }),
      { numRuns: 500 },
    );
  });
});
