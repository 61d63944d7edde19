// The states of syncs and runs, in the words that people see.

import { expect, it } from "vitest";
import {
  stateOfRun,
  stateOfSync,
  type SyncRun,
  type SyncSummary,
} from "../../../../src/console/screens/syncs/sync-state.ts";

const NOW = Date.parse("2026-01-01T12:00:00Z");
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

const sync = (more: Partial<SyncSummary>) => ({ health: "ok", last_run: null, ...more }) as SyncSummary;
const run = (state: SyncRun["details"]["state"], minutes: number, more: Partial<SyncRun["details"]> = {}) =>
  ({
    updated_at: ago(minutes),
    details: { state, next_try_at: null, waiting_for: null, warnings: [], ...more },
  }) as unknown as SyncRun;

it("tells a sync that never ran from one that is well, and one that is late from both", () => {
  expect(stateOfSync(sync({ health: "never_ran" }), NOW)).toEqual({ tone: "quiet", text: "never ran" });
  expect(stateOfSync(sync({ health: "stale" }), NOW).text).toBe("late");
  expect(stateOfSync(sync({}), NOW).text).toBe("ok");
});

it("calls a sync stuck whose run has waited for its start far too long", () => {
  const last_run = { state: "queued", created_at: ago(11) } as SyncSummary["last_run"];
  expect(stateOfSync(sync({ last_run }), NOW).text).toBe("stuck");
});

it("calls a run stuck that gives no sign of life, and not one that waits for its next try", () => {
  expect(stateOfRun(run("running", 6), NOW).text).toBe("stuck");
  expect(stateOfRun(run("running", 1), NOW).text).toBe("running");
  expect(stateOfRun(run("queued", 6, { next_try_at: ago(-1) }), NOW).text).toBe("waiting");
  expect(stateOfRun(run("succeeded", 600), NOW).text).toBe("succeeded");
});
