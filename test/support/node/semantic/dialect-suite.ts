// A suite that asks one model on each database opens this.

import { afterAll, beforeAll } from "vitest";
import type { SemanticModel, SqlDialect } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { DialectDatabases, sorted, TestModel, type Cell, type TestTable } from "./dialect-databases.ts";

const OPENED_MS = 120_000;

export const ID = { name: "id", sql: "id", type: "number", primary_key: true };
export const COUNT = { name: "count", type: "count" };

type Table = (name: string) => string;

/** `cubesOf` is told where each table is. What it returns can be used within tests alone. */
export function askOnEachDatabase(tables: readonly TestTable[], cubesOf: (table: Table) => SemanticModel["cubes"]) {
  let databases: DialectDatabases;
  let definitions: SemanticModel;
  let model: TestModel;
  beforeAll(async () => {
    databases = await DialectDatabases.open(tables);
    definitions = { cubes: cubesOf((name) => databases.table(name)), views: [] };
    model = new TestModel(definitions);
  }, OPENED_MS);
  afterAll(() => databases?.close());
  const run = async (dialect: SqlDialect, sql: string, values: readonly string[] = []): Promise<Cell[][]> =>
    sorted(await databases.run(dialect, { sql, values: [...values] }));
  const sqlOf = (dialect: SqlDialect, query: Partial<SemanticQuery>) => model.sql(dialect, query);
  return {
    table: ((name) => databases.table(name)) satisfies Table,
    definitions: () => definitions,
    sqlOf,
    /** The rows of SQL that a test wrote, in the order that `ask` has them in. */
    run,
    ask: async (dialect: SqlDialect, query: Partial<SemanticQuery>): Promise<Cell[][]> =>
      sorted(await databases.run(dialect, sqlOf(dialect, query))),
  };
}
