// What runs with rights that are gone ends at once, as cancelled, and says why by a code.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sweepCutWork } from "../../../../../src/features/automations/cancelling/cut.ts";
import { DOC_JOBS } from "../../../../../src/features/automations/of-docs/doc-jobs.ts";
import { deleteDoc } from "../../../../../src/features/docs/delete.ts";
import { orderRun } from "../../../../../src/features/docs/runs/order-run.ts";
import { deleteUser } from "../../../../../src/features/teams/users/delete.ts";
import { newId } from "../../../../../src/core/ids.ts";
import { newWorld, type World } from "../../../../support/unit/automations.ts";
import { call } from "../../../../support/unit/http.ts";
import { scopeOf, type Person } from "../../../../support/unit/team.ts";

/** A job's run and a run by itself, both at work with the rights of somebody who is no more than that. */
async function newRuns(world: World) {
  const owner = await world.team.newMember("admin");
  const made = await world.call(
    "POST",
    "",
    { resourceType: "doc", resourceId: world.team.docId, name: "J" },
    owner.key,
  );
  const jobId: string = made.body.data.id;
  const { id } = (await world.process(jobId)).body.data;
  const [ofJob] = world.sandbox.seen.orders;
  await world.begin(ofJob!);
  const runId = newId();
  const scope = scopeOf(world.team.id, owner.id, false);
  const asked = { id: runId, docId: world.team.docId, datasetKeys: null, envelope: null };
  const order = { ...asked, cause: "manual" as const, runMsMax: 60_000 };
  await orderRun({ ...world.clients, scope: { ...scope, now: new Date() } }, order);
  await world.begin(world.sandbox.seen.orders[1]!);
  return { owner, jobId, id: id as string, runId };
}

const scopeNow = (world: World) => ({ ...scopeOf(world.team.id, world.team.admin.id, false), now: new Date() });
const docRunOf = async (world: World, id: string) =>
  (await call("GET", `/v4/docs/${world.team.docId}/runs/${id}`, { key: world.team.admin.key })).body.data;

type Cut = { world: World; owner: Person };

describe("the work of what is gone", () => {
  it.each([
    [
      "owner_gone",
      "a user who is removed",
      ({ world, owner }: Cut) => deleteUser({ ...world.clients, scope: scopeNow(world) }, owner.id),
    ],
    [
      "doc_archived",
      "a doc that is archived",
      ({ world }: Cut) => deleteDoc({ ...world.clients, scope: scopeNow(world) }, DOC_JOBS, world.team.docId),
    ],
  ])("is cancelled with a code: %s, of %s", async (code, _, remove) => {
    const world = await newWorld();
    const { owner, jobId, id, runId } = await newRuns(world);
    world.sent.splice(0);
    await remove({ world, owner });
    const [lost] = world.sent.splice(0);
    expect(lost).toBe(code === "owner_gone" ? owner.id : world.team.docId);
    await world.take("rights_lost", lost!);
    expect(world.sent).toEqual([id]);
    expect(await docRunOf(world, runId)).toMatchObject({ state: "cancelled", cancel_code: code });
    expect(world.sandbox.seen.cancelled).toEqual([runId]);
    expect(await world.step(id)).toBe("stop");
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "cancelled", cancelCode: code });
    expect(await world.finish(world.sandbox.seen.orders[1]!), "it reports too late").toBeDefined();
    expect(await docRunOf(world, runId)).toMatchObject({ state: "cancelled" });
  });

  it.each([
    ["owner_gone", "delete from api_keys where user_id = ?1", "delete from users where id = ?1"],
    ["doc_archived", "select ?1", "update docs set archived_at = '2020' where created_by is not ?1"],
  ])("is found by the sweep where it was missed: %s", async (code, ...statements) => {
    const world = await newWorld();
    const { owner, jobId, id, runId } = await newRuns(world);
    for (const statement of statements) await env.DB.prepare(statement).bind(owner.id).run();
    world.sent.splice(0);
    expect((await sweepCutWork(world.clients, new Date())).runsCut).toBeGreaterThanOrEqual(2);
    expect(world.sent).toContain(id);
    await world.step(id);
    expect(await world.runOf(jobId, id)).toMatchObject({ state: "cancelled", cancelCode: code });
    expect(await docRunOf(world, runId)).toMatchObject({ state: "cancelled", cancel_code: code });
    expect(await sweepCutWork(world.clients, new Date())).toEqual({ runsCut: 0 });
  });
});
