// What it takes to plan a semantic query once its model is known to the isolate.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { planSemanticQuery } from "../../../../src/features/query/semantic-query.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { addCube, cubeFile, newCompiler } from "../../../support/unit/semantic/models.ts";
import { newTeam, scopeOf } from "../../../support/unit/team.ts";

/** A database that counts how often somebody begins to wait for it: what is asked side by side is one wait. */
function countWaits() {
  let [waits, asked] = [0, 0];
  const track = async <T>(answer: Promise<T>): Promise<T> => {
    if (asked++ === 0) waits++;
    return answer.finally(() => void asked--);
  };
  const wrap = (statement: D1PreparedStatement): object => ({
    statement,
    bind: (...values: unknown[]) => wrap(statement.bind(...values)),
    all: () => track(statement.all()),
    raw: () => track(statement.raw()),
    run: () => track(statement.run()),
  });
  const database = {
    prepare: (sql: string) => wrap(env.DB.prepare(sql)),
    batch: (list: { statement: D1PreparedStatement }[]) => track(env.DB.batch(list.map((each) => each.statement))),
  };
  return { db: openDb(database as unknown as D1Database), waits: () => waits };
}

it("waits for the database once, and reads of the model nothing that it has read before", async () => {
  const team = await newTeam();
  const id = await addCube(team);
  expect((await newCompiler().put(team, id, [cubeFile("a"), cubeFile("b")])).status).toBe(200);
  const plan = (db = openDb(env.DB)) => {
    const ctx = { ...openClients(env), db, scope: scopeOf(team.id, team.admin.id, false) };
    return planSemanticQuery(ctx, { measures: ["a.count"] }, id, Promise.resolve(undefined));
  };
  const before = await plan();
  const { db, waits } = countWaits();
  const again = await plan(db);
  expect(waits()).toBe(1);
  expect(again.semantic.model).toBe(before.semantic.model);
  expect(again.semantic.model.cubes.map(({ name }) => name)).toEqual(["a"]);
});
