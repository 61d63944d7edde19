// What a team that asks costs D1 each half minute, in which its meter passes on what it was told.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { METER, ROW_BYTES } from "../../../scripts/scale/counts.ts";
import { addDuration, emptySummary } from "../../../src/core/events/duration-summary.ts";
import { minuteOf } from "../../../src/core/events/event-types.ts";
import { openDb } from "../../../src/platform/db/client.ts";
import { passOn } from "../../../src/platform/meter/pass-on.ts";
import { bytesOf } from "../../support/unit/costs/copies.ts";
import { countBindings } from "../../support/unit/costs/counted-bindings.ts";
import { newTeam } from "../../support/unit/team.ts";

const KINDS = ["api_request", "query"] as const;
const NEAR = 0.1;
/** Durations of an ordinary half minute: of eight bins. */
const DURATIONS = [3, 5, 8, 13, 40, 90, 200, 700];

const sums = (minute: number) =>
  KINDS.map((type) => {
    const summary = emptySummary();
    for (const durationMs of DURATIONS) addDuration(summary, durationMs);
    return { type, minute, ...summary };
  });

describe("a meter's batch", () => {
  it("is so many statements and rows, in the first half of a minute and in the second", async () => {
    const { id: teamId } = await newTeam();
    const key = env.DB.prepare("SELECT id FROM api_keys WHERE team_id = ? LIMIT 1").bind(teamId);
    const keyUses = { [(await key.first<string>("id"))!]: Date.now() };
    const counted = countBindings();
    const minute = minuteOf(Date.now());
    const pass = async (sequence: number, at: number) => {
      await passOn(openDb(counted.bindings.DB), { teamId, sequence, keyUses, events: sums(at) });
      return counted.take();
    };
    // In a row of ten minutes that is there already, as nine of ten minutes find it.
    const ten = minute - (minute % 10);
    await pass(1, ten);
    expect(await pass(2, ten + 1)).toEqual(METER.newMinute);
    expect(await pass(3, ten + 1)).toEqual(METER.sameMinute);
  });

  it("leaves so many bytes in D1 for each minute and kind", async () => {
    const { id: teamId } = await newTeam();
    const db = openDb(env.DB);
    const minutes = 600;
    const begin = minuteOf(Date.now()) - minutes;
    const bytes = await bytesOf(minutes * KINDS.length, async () => {
      const events = Array.from({ length: minutes }, (_, at) => sums(begin + at)).flat();
      await passOn(db, { teamId, sequence: 1, keyUses: {}, events });
    });
    expect(Math.abs(bytes / ROW_BYTES.eventMinute - 1)).toBeLessThan(NEAR);
  });
});
