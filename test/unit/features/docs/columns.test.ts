// The columns of SQL datasets, as an engine answers them when a doc is saved.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import type { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

/** An engine that answers each statement with these columns, or not at all. */
function describing(columns: string[] | "fails" | "sleeps") {
  const asked: StatementRequest[] = [];
  const headers = { [ENGINE_HEADER]: String(PROTOCOL) };
  const engine = {
    async fetch(...request: ConstructorParameters<typeof Request>) {
      asked.push(await new Request(...request).json<StatementRequest>());
      if (columns === "fails")
        return Response.json({ code: "query_failed", message: "No such table." }, { status: 422, headers });
      return Response.json({ success: true, columns, data: [] }, { headers });
    },
    probe: async () => columns !== "sleeps",
    askOfStatement: async () => undefined,
  };
  const bindings = { ...env, ENGINE: { getByName: () => engine } } as unknown as Env;
  const save = async (doc: object) => {
    const { body } = await callWith(bindings, "POST", "/v4/docs", { key: team.admin.key, body: doc });
    const found = await callWith(bindings, "GET", `/v4/docs/${body.data.id}`, { key: team.admin.key });
    return { warnings: body.data.warnings as string[], viz: found.body.data.definition.layout.tiles[0].viz };
  };
  return { asked, save };
}

const docOf = (viz: object, sql = "SELECT 1 AS n, 'Oslo' AS city;") => ({
  version: 1,
  kind: "dashboard",
  metadata: { name: "Columns" },
  datasets: { sales: { engine: "sql", sql, parameters: { since: { type: "date", value: "2026-01-31" } } } },
  layout: { tiles: [{ id: "a", x: 0, y: 0, w: 9, h: 4, type: "chart", source: "sales", viz }] },
});
const NAMED = { type: "bar", x: { field: "city" }, y: [{ field: "n" }] };
const PLACED = { chartType: "bar", dimensions: [{ index: 1 }], metrics: [{ index: 0 }] };

describe("the columns of a SQL dataset that a doc draws", () => {
  it("are not asked for where no engine runs, or said where the statement fails, and the doc is saved", async () => {
    for (const how of ["sleeps", "fails"] as const) {
      const { asked, save } = describing(how);
      const { warnings, viz } = await save(docOf(PLACED));
      expect(warnings).toEqual([expect.stringMatching(/^\/datasets\/sales .*could not be asked for/)]);
      expect([how, viz, asked.length]).toEqual([how, PLACED, how === "sleeps" ? 0 : 1]);
    }
  });

  it("are asked for without a row, with the statement's parameters, and a misspelt field is warned of", async () => {
    const { asked, save } = describing(["n", "city"]);
    expect((await save(docOf(NAMED))).warnings).toEqual([]);
    expect(asked[0]).toMatchObject({
      sql: "SELECT * FROM (\nSELECT 1 AS n, 'Oslo' AS city\n) AS described LIMIT 0",
      parameters: { since: { type: "date", values: ["2026-01-31"] } },
      target: { kind: "lake" },
    });
    expect(asked[0]!.target).not.toHaveProperty("lake.writer");
    const { warnings } = await save(docOf({ ...NAMED, x: { field: "ciyt" } }));
    expect(warnings).toEqual([
      expect.stringMatching(/^\/layout\/tiles\/0\/viz\/x\/field .*no column ciyt. Did you mean city\?$/),
    ]);
  });

  it("name the fields of charts that say their places, and one beyond them is warned of", async () => {
    const { save } = describing(["n", "city"]);
    expect((await save(docOf(PLACED))).viz).toEqual(NAMED);
    const beyond = { ...PLACED, metrics: [{ index: 2 }] };
    const { warnings, viz } = await save(docOf(beyond));
    expect(warnings).toEqual([expect.stringMatching(/^\/layout\/tiles\/0\/viz\/metrics\/0\/index .*has 2 columns/)]);
    expect(viz).toEqual(beyond);
  });
});
