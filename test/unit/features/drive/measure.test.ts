// How much a drive holds, as it is looked through, and that nothing more may come to one that is full.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { DRIVE_LIMITS } from "../../../../src/features/drive/limits.ts";
import { boundsOf, type TeamPlan } from "../../../../src/core/teams/plans.ts";
import { sweepDriveMeasures } from "../../../../src/features/drive/measure/sweep.ts";
import { objectKeyOf } from "../../../../src/features/drive/object-key.ts";
import { forgetCallers } from "../../../../src/features/teams/keys/find-caller.ts";
import type { Bucket } from "../../../../src/platform/bucket/bucket.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const clients = openClients(env);
const { measureEveryMs: EVERY, measureIdleMs: IDLE } = DRIVE_LIMITS;
let start = 0;
const at = (ms: number) => new Date(start + ms);

async function setPlan(id: string, plan: TeamPlan): Promise<void> {
  await env.DB.prepare("update teams set plan = ? where id = ?").bind(plan, id).run();
  forgetCallers(({ teamId }) => teamId === id);
}
const put = async (team: TestTeam, path: string, bytes: number) =>
  env.BUCKET.put((await objectKeyOf(team.id, path)).key, new Uint8Array(bytes));
const ask = (team: TestTeam, path = "a.csv") =>
  call("POST", "/v3/drive/upload-url", { key: team.member.key, body: { path } }).finally(() => (start = Date.now()));
const used = async (team: TestTeam) =>
  (await call("GET", "/v4/usage", { key: team.admin.key })).body.data.stored.drive_bytes;
const dueAt = async (team: TestTeam) =>
  Date.parse(
    (await env.DB.prepare("select due_at from drive_measures where team_id = ?")
      .bind(team.id)
      .first<string>("due_at"))!,
  );

describe("a drive's measure", () => {
  it("adds up all files of the team, those under long paths as well, and nobody else's", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    expect(await used(team)).toEqual({ used: 0, limit: null, measured_at: null });
    await ask(team);
    await Promise.all([put(team, "a.csv", 10), put(team, "b/c.csv", 5), put(team, "é".repeat(600), 7)]);
    await put(other, "a.csv", 1_000);
    await sweepDriveMeasures(clients, at(0));
    expect((await used(team)).measured_at).toBeNull();
    await sweepDriveMeasures(clients, at(EVERY + 5_000));
    expect(await used(team)).toEqual({ used: 22, limit: null, measured_at: at(EVERY + 5_000).toISOString() });
  });

  it("comes often while files may come, and daily otherwise", async () => {
    const team = await newTeam();
    await ask(team);
    let ms = EVERY + 5_000;
    await sweepDriveMeasures(clients, at(ms));
    expect(await dueAt(team)).toBe(start + ms + EVERY);
    // The URL has ended, and what came by it has been seen.
    ms += 5 * EVERY;
    await sweepDriveMeasures(clients, at(ms));
    expect(await dueAt(team)).toBe(start + ms + IDLE);
    await put(team, "a.csv", 4);
    await call("DELETE", "/v3/drive/file?path=a.csv", { key: team.member.key });
    expect(await dueAt(team)).toBeLessThan(Date.now() + EVERY + 1_000);
  });

  it("goes on at the next tick where a drive is too large for one, and shows the last whole figure until then", async () => {
    const team = await newTeam();
    await ask(team);
    for (let file = 0; file < 7; file++) await put(team, `f${file}`, 1);
    const small: Bucket = { ...clients.bucket, list: (query) => clients.bucket.list({ ...query, limit: 1 }) };
    const tick = (ms: number) => sweepDriveMeasures({ ...clients, bucket: small }, at(ms));
    await tick(EVERY + 5_000);
    expect(await used(team)).toEqual({ used: 0, limit: null, measured_at: null });
    // A URL that is asked for meanwhile does not begin the look anew.
    await ask(team, "f0");
    await tick(EVERY + 65_000);
    expect(await used(team)).toMatchObject({ used: 7 });
    await sweepDriveMeasures(clients, at(3 * EVERY));
    expect(await used(team)).toMatchObject({ used: 7 });
  });

  it("lets another tick go on where one breaks", async () => {
    const [broken, team] = [await newTeam(), await newTeam()];
    await Promise.all([ask(broken), ask(team)]);
    await Promise.all([put(broken, "x", 3), put(team, "x", 3)]);
    const failing: Bucket = {
      ...clients.bucket,
      list: (query) =>
        query.prefix.startsWith(broken.id) ? Promise.reject(new Error("away")) : clients.bucket.list(query),
    };
    const ms = EVERY + 5_000;
    await sweepDriveMeasures({ ...clients, bucket: failing }, at(ms));
    expect([(await used(broken)).measured_at, (await used(team)).used]).toEqual([null, 3]);
    await sweepDriveMeasures(clients, at(ms + DRIVE_LIMITS.measureRetryMs));
    expect((await used(broken)).used).toBe(3);
  });
});

describe("a full drive", () => {
  it("takes no more: URLs and uploads in parts are refused with 426, until files are gone and that was seen", async () => {
    const team = await newTeam();
    await setPlan(team.id, "free");
    await ask(team);
    const limit = boundsOf("free").stored.driveBytes!;
    await env.DB.prepare("update drive_measures set bytes = ? where team_id = ?").bind(limit, team.id).run();
    const quota = { what: "driveBytes", limit, used: limit, resetsAt: null };
    const refused = { status: 426, body: { error: { code: "business_quota_exceeded", quota } } };
    expect(await ask(team)).toMatchObject(refused);
    const parts = await call("POST", "/v3/drive/uploads", { key: team.member.key, body: { path: "b" } });
    expect(parts).toMatchObject(refused);
    const kept = "select (select count(*) from drive_uploads where team_id = ?1) as n";
    expect(await env.DB.prepare(kept).bind(team.id).first("n")).toBe(0);
    await sweepDriveMeasures(clients, at(2 * EVERY));
    expect((await ask(team)).status).toBe(200);
  });
});
