import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { ALERT_LIMITS } from "../../../../src/features/alerts/limits.ts";
import { judge, type Episode, type Watched } from "../../../../src/features/alerts/episodes/judge.ts";
import { insertEpisodes } from "../../../../src/features/alerts/episodes/store.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { newAlertWorld } from "./alert-world.ts";

const NOW = new Date("2100-01-01T12:00:00Z");
const at = (minutes: number): string => new Date(NOW.getTime() + minutes * 60_000).toISOString();
const success = (minutes: number) => ({ id: newId(), endedAt: at(minutes) });
const failure = (minutes: number) => ({ ...success(minutes), error: "no" });

const episode = (rest: Partial<Episode>): Episode => ({
  id: newId(),
  teamId: newId(),
  subjectType: "sync",
  subjectId: newId(),
  cause: "failed",
  since: at(-60),
  openedAt: at(-59),
  closedAt: null,
  outcome: null,
  until: null,
  ...rest,
});

const WELL: Watched["subject"] = {
  success: success(-10),
  warning: null,
  failure: null,
  isScheduled: true,
  scheduledSince: at(-600),
  overdueBy: null,
};
const verdict = (subject: Partial<Watched["subject"]>, rest: Partial<Watched> = {}) =>
  judge({ subject: { ...WELL, ...subject }, open: null, reportedUntil: null, watchedSince: at(-600), ...rest }, NOW);

describe("judge", () => {
  it("has nothing to say of what goes well", () => expect(verdict({})).toBeUndefined());

  it("opens by a failure once: not by one of an episode, of before it was watched, or of long ago", () => {
    const failed = { failure: failure(-5) };
    expect(verdict(failed)).toEqual({ kind: "open", cause: "failed", since: at(-5) });
    expect(verdict(failed, { reportedUntil: at(-6) })).toMatchObject({ cause: "failed" });
    expect(verdict(failed, { reportedUntil: at(-4) })).toBeUndefined();
    expect(verdict(failed, { watchedSince: at(-4) })).toBeUndefined();
    const old = -ALERT_LIMITS.alertFailureMsMax / 60_000;
    expect(verdict({ failure: failure(old + 1) }, { watchedSince: at(old - 9) })).toMatchObject({ cause: "failed" });
    expect(verdict({ failure: failure(old - 1) }, { watchedSince: at(old - 9) })).toBeUndefined();
  });

  it("opens by staleness at its time, since the last success or the schedule's beginning", () => {
    expect(verdict({ overdueBy: NOW })).toEqual({ kind: "open", cause: "stale", since: at(-10) });
    expect(verdict({ overdueBy: NOW, scheduledSince: at(-3) })).toMatchObject({ since: at(-3) });
    expect(verdict({ overdueBy: NOW, success: null })).toMatchObject({ since: at(-600) });
  });

  it("ends by a success after what was wrong, and by none before it", () => {
    const open = episode({ since: at(-20) });
    expect(verdict({}, { open })).toEqual({ kind: "recovered", until: at(-10) });
    expect(verdict({ success: success(-21) }, { open })).toBeUndefined();
    expect(verdict({ success: null, failure: failure(-1), overdueBy: NOW }, { open })).toBeUndefined();
  });

  it("opens by a success that warns once, also by the one that ended an episode, and by none where more is wrong", () => {
    const warned = { success: success(-5), warning: success(-5) };
    expect(verdict(warned)).toEqual({ kind: "open", cause: "warned", since: at(-5) });
    expect(verdict(warned, { reportedUntil: at(-5) })).toMatchObject({ cause: "warned" });
    expect(verdict(warned, { reportedUntil: at(-4) })).toBeUndefined();
    expect(verdict(warned, { watchedSince: at(-4) })).toBeUndefined();
    expect(verdict({ ...warned, overdueBy: NOW })).toMatchObject({ cause: "stale" });
    expect(verdict({ ...warned, failure: failure(-2) }, { watchedSince: at(-3) })).toMatchObject({ cause: "failed" });
    // A failure that somebody heard of already.
    expect(verdict({ ...warned, failure: failure(-4) }, { reportedUntil: at(-4) })).toBeUndefined();
  });

  it("goes on warning until a success that does not, and makes way for a failure or staleness", () => {
    const open = episode({ cause: "warned", since: at(-20) });
    expect(verdict({ success: success(-10), warning: success(-10) }, { open })).toBeUndefined();
    expect(verdict({}, { open })).toEqual({ kind: "recovered", until: at(-10) });
    const still = { success: success(-20), warning: success(-20) };
    expect(verdict(still, { open })).toBeUndefined();
    expect(verdict({ ...still, failure: failure(-30) }, { open })).toBeUndefined();
    expect(verdict({ ...still, failure: failure(-2) }, { open })).toEqual({ kind: "dropped" });
    expect(verdict({ ...still, overdueBy: NOW }, { open })).toEqual({ kind: "dropped" });
    // What fails recovers by a success that warns.
    expect(verdict({ success: success(-5), warning: success(-5) }, { open: episode({}) })).toMatchObject({
      kind: "recovered",
    });
  });

  it("drops what is stale and has no schedule any more, and no failure", () => {
    const none = { success: success(-21), isScheduled: false, overdueBy: null };
    expect(verdict(none, { open: episode({ since: at(-20), cause: "stale" }) })).toEqual({ kind: "dropped" });
    expect(verdict(none, { open: episode({ since: at(-20) }) })).toBeUndefined();
  });
});

describe("insertEpisodes", () => {
  it("keeps out what a sweep decided from rows that are past", async () => {
    const { teamId } = await newAlertWorld();
    const db = openDb(env.DB);
    const subjectId = newId();
    const insert = async (rest: Partial<Episode>) =>
      (await insertEpisodes(db, [episode({ teamId, subjectId, ...rest })])).length;
    expect(await insert({ since: at(-60) })).toBe(1);
    expect(await insert({ since: at(-50) })).toBe(0);
    await env.DB.prepare("update alert_episodes set closed_at = ?2, until = ?2 where subject_id = ?1")
      .bind(subjectId, at(-40))
      .run();
    expect(await insert({ since: at(-45) })).toBe(0);
    expect(await insert({ since: at(-40) })).toBe(1);
    expect(await insert({ teamId: newId(), subjectId: newId() })).toBe(0);
  });
});
