// What a job hands its runs: data and variables, as a webhook's are, and where their results are.

import { describe, expect, it } from "vitest";
import { newWorld } from "../../../support/unit/automations.ts";

const PAYLOAD = { data: { rows: [1, 2.5, "å"] }, environmentVariables: { REGION: "north" } };

describe("a job's data and variables", () => {
  it("are refused where they are too much, can't be set, or are of a job of no doc", async () => {
    const world = await newWorld();
    const { team } = world;
    const create = (fields: object) =>
      world.call("POST", "", { resourceType: "doc", resourceId: team.docId, name: "Job", ...fields });
    const maintenance = { resourceType: "lake_integration_maintenance", resourceId: team.lakeId };
    const pointersOf = async (fields: object) => {
      const { status, body } = await create(fields);
      return [status, body.error?.flaws[0]?.pointer];
    };
    expect(await pointersOf({ data: "x".repeat(16 * 1024) })).toEqual([422, "/data"]);
    expect(await pointersOf({ environmentVariables: { PATH: "/" } })).toEqual([422, "/environmentVariables/PATH"]);
    expect(await pointersOf({ environmentVariables: { A: 1 } })).toEqual([422, "/environmentVariables/A"]);
    expect(await pointersOf({ ...maintenance, data: 1 })).toEqual([422, "/data"]);
    const { id } = (await create(maintenance)).body.data;
    expect((await world.call("PATCH", `/${id}`, { data: 1 })).status).toBe(422);
  });

  it("go with each run as a webhook's do, as the job has them when the attempt begins", async () => {
    const world = await newWorld();
    const jobId = await world.newJob(PAYLOAD);
    expect((await world.call("GET", `/${jobId}`)).body.data).toMatchObject(PAYLOAD);
    await world.process(jobId);
    const [order] = world.sandbox.seen.orders;
    const [envelope] = world.sandbox.seen.envelopes;
    expect(order).toMatchObject({ runId: envelope!.runId, hasEnvelope: true });
    expect(JSON.parse(envelope!.text)).toEqual(PAYLOAD);
    await world.finish(order!);

    const patched = await world.call("PATCH", `/${jobId}`, { data: null });
    expect(patched.body.data).not.toHaveProperty("data");
    expect(patched.body.data.environmentVariables).toEqual(PAYLOAD.environmentVariables);
    const { id: runId } = (await world.runsOf(jobId))[0];
    await world.step(runId);
    await world.process(jobId);
    const { environmentVariables } = PAYLOAD;
    expect(JSON.parse(world.sandbox.seen.envelopes[1]!.text)).toEqual({ environmentVariables });
  });

  it("are left out where a job has none", async () => {
    const world = await newWorld();
    await world.process(await world.newJob({ data: null, environmentVariables: {} }));
    expect(world.sandbox.seen.envelopes).toEqual([]);
    expect(world.sandbox.seen.orders).toMatchObject([{ hasEnvelope: false }]);
  });
});

describe("a run of a doc's job", () => {
  it("says where its results are, and the doc's run where each dataset's is", async () => {
    const world = await newWorld();
    const jobId = await world.newJob();
    const { id } = (await world.process(jobId)).body.data;
    const [order] = world.sandbox.seen.orders;
    await world.finish(order!);
    const { resultsUrl } = await world.runOf(jobId, id);
    expect(resultsUrl).toBe(`/v4/docs/${world.team.docId}/runs/${order!.runId}`);
    const [attempt] = (await world.call("GET", `/${jobId}/runs/${id}/attempts`)).body.data.items;
    expect(attempt.resultsUrl).toBe(resultsUrl);
    const { executions } = (await world.read(resultsUrl)).body.data;
    expect(executions.length).toBeGreaterThan(0);
    for (const execution of executions) {
      const found = (await world.read(execution.result_url)).body.data;
      expect([found.id, found.dataset_key]).toEqual([execution.id, execution.dataset_key]);
    }
  });
});
