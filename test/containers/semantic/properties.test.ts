// Random models and random queries on a lake, PostgreSQL and MariaDB: each answer is that of plain nested loops over
// the same values, however the cubes are joined.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SemanticQuery } from "../../../kernel/semantic/query.ts";
import { NestedLoops } from "../../support/node/semantic/reckoning/nested-loops.ts";
import { definitionsOf, type ProofCube } from "../../support/node/semantic/proof-model.ts";
import { ProofServers, Refused } from "../../support/node/semantic/proof-servers.ts";
import { DIALECTS, type Dialect } from "../../support/node/semantic/proof-tables.ts";
import { randomCubes, randomTables } from "../../support/node/semantic/reckoning/random-model.ts";
import { lessOf, randomQuery } from "../../support/node/semantic/reckoning/random-query.ts";
import { differenceOf, keysOf } from "../../support/node/semantic/same-rows.ts";
import { SEED } from "../../support/node/seed.ts";
import { randomOf } from "../../support/node/sources/mutations.ts";

const MODELS = Number(process.env["SEMANTIC_MODELS"] ?? 6);
const QUERIES = 8;

const random = randomOf(SEED);
const tables = randomTables(random);

let servers: ProofServers;
beforeAll(async () => void (servers = await ProofServers.open(tables)));
afterAll(() => servers?.close());

/** What is wrong with the engine's answer, or nothing. */
async function wrong(dialect: Dialect, cubes: ProofCube[], query: SemanticQuery): Promise<string | undefined> {
  const loops = new NestedLoops(tables, cubes);
  try {
    const answer = await servers.ask(dialect, definitionsOf(cubes, servers.schema), query, true);
    const expected = loops.answer(query);
    if (answer.total !== expected.length) return `the total is ${answer.total}, not ${expected.length}`;
    return differenceOf({ actual: answer.rows, expected, keys: keysOf(query) }, dialect);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/** The smallest part of a query that is answered wrongly as well. */
async function smallest(dialect: Dialect, cubes: ProofCube[], query: SemanticQuery): Promise<string> {
  for (const less of lessOf(query)) {
    const isAsked = new NestedLoops(tables, cubes).canJoin(less);
    if (isAsked && (await wrong(dialect, cubes, less))) return smallest(dialect, cubes, less);
  }
  return JSON.stringify(
    { seed: SEED, dialect, wrong: await wrong(dialect, cubes, query), query, cubes, tables },
    null,
    1,
  );
}

describe.each(Array.from({ length: MODELS }, (_, at) => at))("random model %i", () => {
  const cubes = randomCubes(random);
  const queries: SemanticQuery[] = [];
  while (queries.length < QUERIES) {
    const query = randomQuery(random, cubes);
    if (new NestedLoops(tables, cubes).canJoin(query)) queries.push(query);
  }

  it.concurrent.each(DIALECTS)("is answered as by nested loops on %s", async (dialect) => {
    for (const query of queries)
      if (await wrong(dialect, cubes, query)) expect.fail(await smallest(dialect, cubes, query));
  });
});
