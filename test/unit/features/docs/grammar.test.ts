import { beforeAll, describe, expect, it } from "vitest";
import { parseDefinition } from "../../../../src/features/docs/definition/parse.ts";
import { EXAMPLES, FOREIGN, UNSHOWN } from "../../../support/unit/docs/examples.ts";
import { changed, type Steps } from "../../../support/unit/docs/mutations.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

const post = (doc: object) => call("POST", "/v4/docs", { key: team.admin.key, body: doc });
const flawsOf = async (doc: object) => {
  const { status, body } = await post(doc);
  return [status, ...(body.error?.flaws ?? []).map(({ pointer }: { pointer: string }) => pointer)];
};

const { whole, overview } = EXAMPLES as Record<string, Record<string, never>>;
describe("the grammar of docs", () => {
  // No engine runs here that could be asked for columns.
  const isAsked = (warning: string) => !warning.includes("columns could not be asked for");
  const placesOf = (warnings: string[] = []) => warnings.filter(isAsked).map((warning) => warning.split(" ")[0]);

  it.each(Object.entries(EXAMPLES))(
    "takes the example %s, and warns of what nothing acts on alone",
    async (name, doc) => {
      const { status, body } = await post(doc);
      expect([status, placesOf(body.data?.warnings)]).toEqual([201, UNSHOWN[name] ?? []]);
      const found = await call("GET", `/v4/docs/${body.data.id}`, { key: team.member.key });
      expect(placesOf(found.body.data.warnings)).toEqual(UNSHOWN[name] ?? []);
      expect(found.body.data.definition.metadata).toEqual(doc["metadata"]);
    },
  );

  it("takes what another platform draws, keeps it as it is, and warns of each at its place", async () => {
    const { status, body } = await post(FOREIGN);
    const places = [
      "/automations/0/destinations/0",
      "/filters/0",
      "/filters/0/display",
      "/layout/tiles/0/viz/type",
      "/layout/tiles/1/type",
      "/layout/tiles/2/viz/chartType",
      "/metadata/folder",
      "/datasets/sales/cacheSeconds",
      "/filters/0/width",
      "/layout/tiles/3/border",
      "/layout/tiles/3/viz/rounded",
      "/layout/theme",
      "/automations/0/notify",
    ];
    expect([status, placesOf(body.data?.warnings).toSorted()]).toEqual([201, places.toSorted()]);
    const found = await call("GET", `/v4/docs/${body.data.id}`, { key: team.member.key });
    expect(found.body.data.definition).toEqual(FOREIGN);
    expect(placesOf(found.body.data.warnings).toSorted()).toEqual(places.toSorted());
    const jobs = await call("GET", `/v4/automations/jobs?resourceId=${body.data.id}`, { key: team.admin.key });
    expect(jobs.body.data.items).toMatchObject([{ docAutomation: "Each morning", enabled: true }]);
  });

  it("holds a tile that it does not draw to the grid", async () => {
    const steps = ["layout", "tiles", 1, "x"];
    expect(await flawsOf(changed(FOREIGN, steps, 0))).toEqual([422, "/layout/tiles/1"]);
    expect(await flawsOf(changed(FOREIGN, steps, undefined))).toEqual([422, "/layout/tiles/1/x"]);
  });

  it("warns of members of a destination that its type has no use for", async () => {
    const to = { type: "email", to: "a@example.com", emails: ["b@example.com"], "cc/bcc": "c@example.com" };
    const warnings = parseDefinition(
      JSON.stringify({ ...EXAMPLES["pipeline"], automations: [{ cron: "0 7 * * *", destinations: [to] }] }),
      "application/json",
    ).warnings.map(({ pointer }) => pointer);
    expect(warnings).toEqual(["/automations/0/destinations/0/emails", "/automations/0/destinations/0/cc~1bcc"]);
  });

  it("warns of what it knows and nothing acts on", async () => {
    const doc = {
      ...EXAMPLES["pipeline"],
      version: 2,
      schemaVersion: "2026-01",
      automations: [{ cron: "0 7 * * *", destinations: [{ type: "slack", channel: "#figures" }] }],
    };
    const { body } = await post(doc);
    expect(body.data.warnings.map((warning: string) => warning.split(" ")[0])).toEqual([
      "/version",
      "/schemaVersion",
      "/automations/0/destinations/0",
    ]);
  });

  const tile = (steps: Steps) => ["layout", "tiles", ...steps];
  it.each<[string, Record<string, unknown>, Steps, unknown, string]>([
    ["a tile that overlaps another", whole!, tile([1, "x"]), 4, "/layout/tiles/1"],
    ["a tile beside the grid", whole!, tile([1, "x"]), 24, "/layout/tiles/1/x"],
    ["a tile that goes beyond the grid", whole!, tile([2, "w"]), 9, "/layout/tiles/2/w"],
    ["a position before the grid", whole!, tile([1, "y"]), -1, "/layout/tiles/1/y"],
    ["a tile without a place", whole!, tile([1, "h"]), undefined, "/layout/tiles/1/h"],
    ["two tiles of one id", whole!, tile([1, "id"]), "line", "/layout/tiles/1/id"],
    ["a source that is none", whole!, tile([0, "source"]), "sails", "/layout/tiles/0/source"],
    ["a tile of no type", whole!, tile([0, "type"]), undefined, "/layout/tiles/0/type"],
    ["a chart of no type", whole!, tile([0, "viz", "type"]), 5, "/layout/tiles/0/viz/type"],
    ["a chart that its tile does not draw", whole!, tile([0, "viz"]), { type: "table" }, "/layout/tiles/0/viz/type"],
    ["a chart of nothing", whole!, tile([0, "viz", "y"]), undefined, "/layout/tiles/0/viz"],
    [
      "a chart that says twice what it draws",
      whole!,
      tile([1, "viz", "series"]),
      [{ field: "n" }],
      "/layout/tiles/1/viz/series",
    ],
    ["a format that is none", whole!, tile([0, "viz", "y", 0, "format"]), "euros", "/layout/tiles/0/viz/y/0/format"],
    [
      "a click on no filter",
      whole!,
      tile([0, "viz", "onClick", "filter"]),
      "town",
      "/layout/tiles/0/viz/onClick/filter",
    ],
    ["tiles in two places", whole!, ["tiles"], [], "/tiles"],
    ["two filters of one id", whole!, ["filters", 0, "id"], "city", "/filters/1/id"],
    ["a filter about nothing", whole!, ["filters", 0, "target"], {}, "/filters/0/target"],
    [
      "a filter of no dataset",
      whole!,
      ["filters", 1, "target", "datasets", 0],
      "sails",
      "/filters/1/target/datasets/0",
    ],
    ["an operator that is none", overview!, ["filters", 0, "operator"], "is", "/filters/0/operator"],
    [
      "a field that a cube's query does not ask for",
      overview!,
      tile([1, "viz", "series", 0, "field"]),
      "orders.revenu",
      "/layout/tiles/1/viz/series/0/field",
    ],
    [
      "a place that a cube's query does not have",
      EXAMPLES["exported"]!,
      tile([0, "viz", "metrics", 0, "index"]),
      4,
      "/layout/tiles/0/viz/metrics/0/index",
    ],
    [
      "a schedule that can't be",
      whole!,
      ["automations", 1, "schedule", "cron"],
      "0 0 30 2 *",
      "/automations/1/schedule/cron",
    ],
    [
      "a zone that is none",
      whole!,
      ["automations", 1, "schedule", "timezone"],
      "Mars",
      "/automations/1/schedule/timezone",
    ],
    ["a schedule in two places", whole!, ["automations", 1, "cron"], "0 3 * * *", "/automations/1/schedule"],
    ["two automations of one name", whole!, ["automations", 1, "id"], "hourly", "/automations/1"],
    [
      "an automation of no dataset",
      whole!,
      ["automations", 0, "datasetKeys", 0],
      "sails",
      "/automations/0/datasetKeys/0",
    ],
    [
      "a variable that can't be set",
      whole!,
      ["automations", 2, "environmentVariables"],
      { PATH: "/" },
      "/automations/2/environmentVariables/PATH",
    ],
    ["too much data for a job", whole!, ["automations", 2, "data"], "x".repeat(20_000), "/automations/2/data"],
    [
      "more attempts than a job may have",
      whole!,
      ["automations", 1, "retry", "attempts"],
      11,
      "/automations/1/retry/attempts",
    ],
    [
      "members of a query that are no list",
      overview!,
      ["datasets", "by_month", "measures"],
      "revenue",
      "/datasets/by_month/measures",
    ],
  ])("refuses %s, at its pointer", async (_, doc, steps, value, pointer) => {
    expect(await flawsOf(changed(doc, steps, value))).toEqual([422, pointer]);
  });

  it("says where in a YAML text a tile's flaw is, and what may be meant", async () => {
    const raw = `version: 1
kind: dashboard
metadata: {name: Places}
datasets:
  sales: {engine: cube, measures: [orders.revenue]}
layout:
  tiles:
    - {id: a, x: 0, y: 0, w: 4, h: 2, type: kpi, source: sales, viz: {type: kpi, y: [{field: orders.revenu}]}}
`;
    const headers = { "content-type": "application/yaml" };
    const { body } = await call("POST", "/v4/docs", { key: team.admin.key, raw, headers });
    expect(body.error.flaws).toMatchObject([
      {
        pointer: "/layout/tiles/0/viz/y/0/field",
        message: "The dataset sales has no column orders.revenu. Did you mean orders.revenue?",
        line: 8,
      },
    ]);
  });

  it("turns places into names in the definition, and leaves the text as it was", async () => {
    const { id } = (await post(EXAMPLES["exported"]!)).body.data;
    const { body } = await call("GET", `/v4/docs/${id}`, { key: team.member.key });
    expect(body.data.definition.layout.tiles[0].viz).toEqual({
      type: "bar",
      x: { field: "visits.at.day", type: "time" },
      color: { field: "visits.browser", type: "category" },
      y: [{ field: "visits.count", format: "number", color: "#d9f99d", aggregation: "sum" }],
      orientation: "horizontal",
      stack: "normal",
    });
    expect(JSON.parse(body.data.text)).toEqual(EXAMPLES["exported"]);
  });
});
