// A model over tables that are not there is saved, and its author is told.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { openLake } from "../../../../src/lake/lake.ts";
import { createTable, newWriter } from "../../../support/unit/lake.ts";
import { addCube, modelPath, newCompiler, ownLakeOf, type File } from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let lakeId: string;
const compiler = newCompiler();
beforeAll(async () => {
  team = await newTeam();
  lakeId = await ownLakeOf(team);
  const writer = await newWriter({ teamId: team.id, lakeId, catalog: openLake(env, lakeId) });
  await writer.commit([createTable("sample", "orders"), createTable("main", "plain")]);
});

const missing = (cube: string, table: string): string => `${cube}: The lake Lake has no table ${table} now.`;
/** A file of cubes, each with the line that says what it reads. */
const cubesOver = (read: Record<string, string>): File => ({
  path: "model.yml",
  content: `cubes:\n${Object.entries(read)
    .map(([name, line]) => `  - name: ${name}\n    ${line}\n    measures: [{name: count, type: count}]\n`)
    .join("")}`,
});

describe("the warnings of a model that is saved", () => {
  it("name each cube whose table the lake has not, in whatever way the table is written", async () => {
    const id = await addCube(team);
    const file = cubesOver({
      there: "sql_table: SAMPLE.Orders",
      in_catalog: "sql_table: LAKE.sample.orders",
      quoted: `sql_table: '"sample"."orders"'`,
      in_main: "sql_table: plain",
      in_main_of_catalog: "sql_table: LAKE.plain",
      metadata: "sql_table: information_schema.tables",
      by_query: "sql: SELECT * FROM sample.nothing",
      misspelt: "sql_table: sample.ordres",
      elsewhere: "sql_table: orders",
      nowhere: "sql_table: lake.ordres",
    });
    const { status, body } = await compiler.put(team, id, [file]);
    expect(status).toBe(200);
    expect(body.warnings).toEqual([
      missing("misspelt", "sample.ordres"),
      missing("elsewhere", "main.orders"),
      missing("nowhere", "main.ordres"),
    ]);
  });

  it("hold for the same files again, and for a version that is restored", async () => {
    const id = await addCube(team);
    const files = [cubesOver({ misspelt: "sql_table: sample.ordres" })];
    const warnings = [missing("misspelt", "sample.ordres")];
    expect((await compiler.put(team, id, files)).body).toMatchObject({ model: { version: 1 }, warnings });
    expect((await compiler.put(team, id, files)).body).toMatchObject({ model: { version: 1 }, warnings });
    await compiler.put(team, id, [cubesOver({ there: "sql_table: sample.orders" })]);
    const restored = await compiler.ask("POST", modelPath(id, "/restore"), team.admin.key, { version: 1 });
    expect(restored.body).toMatchObject({ model: { version: 3 }, warnings });
  });

  it("follow what is said of the files themselves", async () => {
    const file = cubesOver({ misspelt: "sql_table: sample.ordres\n    refresh_key: {every: 1 hour}" });
    expect((await compiler.put(team, await addCube(team), [file])).body.warnings).toEqual([
      expect.stringContaining("Left out"),
      missing("misspelt", "sample.ordres"),
    ]);
  });

  it("ask nothing of a database", async () => {
    const tested = vi.fn(() => Response.json({ product: "PostgreSQL", version: "18", tls: true, canWrite: false }));
    // Another path of the engine than these two is a failure.
    const engine = newCompiler(undefined, { "/connections/test": tested });
    const credentials = { host: "h", port: "1", database: "shop", username: "u", password: "p" };
    const { body } = await engine.ask("POST", "/v1/api/integrations", team.admin.key, {
      type: "postgres",
      credentials,
    });
    const id = await addCube(team, body.integration.id);
    tested.mockClear();
    const answer = await engine.put(team, id, [cubesOver({ misspelt: "sql_table: sample.ordres" })]);
    expect(answer).toMatchObject({ status: 200, body: { warnings: [] } });
    expect(tested).not.toHaveBeenCalled();
  });
});
