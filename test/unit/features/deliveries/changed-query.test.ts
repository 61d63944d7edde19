// Whose words a delivery sends: its job's owner may read everything, and a member changes a query of their own.

import { beforeEach, expect, it } from "vitest";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { newDeliveryWorld, type DeliveryWorld } from "../../../support/unit/deliveries/world.ts";

const ROWS = { status: ["open"], orders: [3] };
const LESS = "somebody who may read less than the job's owner";

let world: DeliveryWorld;
let queryId: string;
let jobId: string;

/** A member's query, which an admin's job sends to the member. */
beforeEach(async () => {
  world = await newDeliveryWorld();
  const query = { name: "Mine", sql: "SELECT 1 AS orders" };
  queryId = (await world.ask("POST", "/v4/queries", query, world.team.member.key)).body.data.id;
  jobId = await world.newJob(await world.newDelivery({ source: { kind: "query", query_id: queryId } }));
});

/** Members may read less than everything once the team has a role. */
const bindMembers = () => addRole(world.team, [], [world.team.member.id]);

async function change(sql: string, key: string): Promise<void> {
  expect((await world.ask("PATCH", `/v4/queries/${queryId}`, { sql }, key)).status).toBe(200);
}

/** A run that begins, and what became of it at once. */
async function begin() {
  const sent = world.engine.sent.length;
  const { id } = (await world.ask("POST", `/v4/automations/jobs/${jobId}/process`, {})).body.data;
  const { state, error } = await world.runOf(jobId, id);
  return { state, error, statements: world.engine.sent.slice(sent).map(({ statement }) => statement.sql) };
}

it("fails at once, before anything is read, where a member has changed the query since the job was saved", async () => {
  await bindMembers();
  await change("SELECT * FROM hr.salaries", world.team.member.key);
  expect(await begin()).toEqual({ state: "failed", error: expect.stringContaining(LESS), statements: [] });
});

it("goes on once an admin has saved the job or the delivery, until the query is changed again", async () => {
  await bindMembers();
  await change("SELECT 2 AS orders", world.team.member.key);
  await world.ask("PATCH", `/v4/automations/jobs/${jobId}`, { name: "Read, and well" });
  expect((await world.run(jobId, ROWS)).state).toBe("succeeded");

  await change("SELECT 3 AS orders", world.team.member.key);
  expect(await begin()).toMatchObject({ state: "failed", statements: [] });
  const { resourceId } = (await world.ask("GET", `/v4/automations/jobs/${jobId}`)).body.data;
  await world.ask("PATCH", `/v4/deliveries/${resourceId}`, { message: "Read, and well" });
  expect((await world.run(jobId, ROWS)).state).toBe("succeeded");
});

it("goes on where nobody has changed the query since, whatever its writer may read by now", async () => {
  await bindMembers();
  expect((await world.run(jobId, ROWS)).state).toBe("succeeded");
});

it("goes on with what an admin wrote, and with what a member wrote who may read everything now", async () => {
  await change("SELECT 2 AS orders", world.team.member.key);
  expect((await world.run(jobId, ROWS)).state).toBe("succeeded");
  await bindMembers();
  await change("SELECT 3 AS orders", world.team.admin.key);
  expect((await world.run(jobId, ROWS)).state).toBe("succeeded");
});
