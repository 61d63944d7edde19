// A doc is refused for some flaws that its JSON Schema takes: one part against another, and what a text or a list says.
// The list is closed: a refusal that is none of these is one that the schema makes, too.

import type { Doc, Json } from "./viz-arbitrary.ts";
import type { Steps } from "./mutations.ts";

/** A doc that is saved, with something of everything that the list is about. */
export const SOUND: Doc = {
  version: 1,
  kind: "dashboard",
  metadata: { name: "Sound" },
  filters: [
    { id: "city", target: { field: "city" } },
    { id: "town", target: { dimension: "orders.city" } },
    { id: "days", type: "dateRange", target: { field: "day" } },
  ],
  datasets: {
    first: {
      engine: "sql",
      sql: "SELECT 1 AS id WHERE $since IS NULL",
      parameters: { p: { type: "text", value: "x" } },
      materialize: { table: "first", mode: "append" },
      incremental: { column: "id" },
      tests: [
        { kind: "unique", columns: ["id", "n"] },
        { kind: "row_count", min: 1 },
      ],
    },
    second: {
      engine: "python",
      code: "result = 1",
      inputs: [
        { ref: "first", as: "one" },
        { ref: "first", as: "two" },
      ],
      materialize: { table: "second" },
    },
    free: {
      engine: "sql",
      sql: "SELECT 1 AS n",
      parameters: {
        town: { type: "text", filter: "city", list: true },
        day: { type: "date", filter: "days", part: "to" },
      },
    },
    cube: { engine: "cube", measures: ["orders.n"] },
  },
  layout: {
    columns: 24,
    tiles: [
      {
        ...{ id: "a", x: 0, y: 0, w: 8, h: 4, type: "chart", source: "cube" },
        viz: { type: "bar", y: [{ field: "orders.n" }], onClick: { filter: "city" } },
      },
      {
        ...{ id: "b", x: 8, y: 0, w: 8, h: 4, type: "chart", source: "cube" },
        viz: { chartType: "bar", metrics: [{ index: 0 }] },
      },
    ],
  },
  automations: [
    { id: "one", cron: "0 7 * * *", timezone: "UTC", datasetKeys: ["free"], environmentVariables: { REGION: "no" } },
    { id: "two", name: "Two", schedule: { cron: "0 7 * * *" } },
  ],
};

/** The refusal's words, and a change of the sound doc that meets it. */
export type Beyond = { says: RegExp; steps: Steps; value: Json | undefined };

const first = (...steps: Steps): Steps => ["datasets", "first", ...steps];
const second = (...steps: Steps): Steps => ["datasets", "second", ...steps];
const tile = (...steps: Steps): Steps => ["layout", "tiles", ...steps];
const entry = (...steps: Steps): Steps => ["automations", ...steps];
const p = first("parameters", "p");
const filtered = (...steps: Steps): Steps => ["datasets", "free", "parameters", ...steps];

/** One member against another: names of what is not there, and what excludes or needs what. */
const BETWEEN_MEMBERS: Beyond[] = [
  { says: /^There is no dataset /, steps: first("dependsOn"), value: ["nowhere"] },
  { says: /^There is no filter /, steps: tile(0, "viz", "onClick", "filter"), value: "country" },
  { says: /^There is no filter /, steps: filtered("town", "filter"), value: "country" },
  { says: /^The filter .* is a range: /, steps: filtered("town", "filter"), value: "days" },
  { says: /^The filter .* is no range, /, steps: filtered("day", "filter"), value: "town" },
  { says: /^A dataset that builds a table takes no filter/, steps: p, value: { type: "text", filter: "city" } },
  { says: /^These datasets wait for each other: /, steps: first("dependsOn"), value: ["second"] },
  { says: /^The dataset .* has no column /, steps: tile(0, "viz", "y", 0, "field"), value: "orders.m" },
  { says: /^The dataset .* has \d+ columns, counted/, steps: tile(1, "viz", "metrics", 0, "index"), value: 1 },
  { says: /^Another one is called /, steps: ["filters", 1, "id"], value: "city" },
  { says: /^Two inputs are called /, steps: second("inputs", 1, "as"), value: "one" },
  { says: /^The dataset .* builds this table, too\.$/, steps: second("materialize", "table"), value: "FIRST" },
  { says: /^The entry \d+ is called .* too; /, steps: entry(1, "id"), value: "one" },
  { says: /^The grid has \d+ columns, counted/, steps: tile(1, "x"), value: 24 },
  { says: /^It ends at column \d+; /, steps: tile(1, "w"), value: 17 },
  { says: /^This tile overlaps the tile /, steps: tile(1, "x"), value: 7 },
  { says: /^The tiles stand in layout\.tiles already\.$/, steps: ["tiles"], value: [] },
  { says: /^A tile of type .* draws no /, steps: tile(1, "type"), value: "kpi" },
  { says: /^Name the fields that it draws: y\.$/, steps: tile(0, "viz", "y"), value: undefined },
  { says: /^y and series are the same: /, steps: tile(0, "viz", "series"), value: [{ field: "orders.n" }] },
  { says: /^Name either a dimension of a semantic model/, steps: ["filters", 0, "target"], value: {} },
  { says: /^When it runs is in .* already\.$/, steps: entry(1, "cron"), value: "0 7 * * *" },
  { says: /^Only a dataset with materialize is incremental\.$/, steps: first("materialize"), value: undefined },
  { says: /^Only a dataset with materialize has tests\.$/, steps: first("materialize"), value: undefined },
  { says: /^A table that is replaced is read in full: /, steps: first("materialize", "mode"), value: "replace" },
  { says: /^A table that rows are merged into needs the key/, steps: first("materialize", "mode"), value: "merge" },
  { says: /^Mode .* has no key\.$/, steps: first("materialize", "key"), value: ["id"] },
  { says: /^SQL that builds a table runs on the team's lake: /, steps: first("integrationId"), value: "x" },
  { says: /^Only SQL is incremental: /, steps: second("incremental"), value: { column: "id" } },
  { says: /^An incremental dataset's \$since is the committed/, steps: first("parameters"), value: { since: 1 } },
  { says: /^Send min, max, or both\.$/, steps: first("tests", 1, "min"), value: undefined },
];

/** What a text has to be beyond a pattern, and a list beyond its items. */
const IN_VALUES: Beyond[] = [
  { says: /^SQL that builds a table only reads: /, steps: first("sql"), value: "DELETE FROM t WHERE id > $since" },
  { says: /^An incremental dataset reads by \$since, /, steps: first("sql"), value: "SELECT 1 AS id" },
  { says: /^It has half of a surrogate pair, /, steps: first("sql"), value: "SELECT '\ud800' WHERE 1 > $since" },
  { says: /^A column is named twice\.$/, steps: first("tests", 0, "columns"), value: ["id", "id"] },
  { says: /^This name is Python's own, or the output's\.$/, steps: second("inputs", 0, "as"), value: "result" },
  { says: /^Names that begin with __ are Python's own\.$/, steps: second("inputs", 0, "as"), value: "__x" },
  // A name of blanks alone is empty without them.
  { says: /^Too small: expected string to have >=1 characters$/, steps: ["metadata", "name"], value: " " },
  { says: /^The cron expression /, steps: entry(0, "cron"), value: "0 7 * *" },
  { says: /^The timezone /, steps: entry(0, "timezone"), value: "Mars" },
  {
    says: /^It is no name of an environment variable: /,
    steps: entry(0, "environmentVariables"),
    value: { "a b": "" },
  },
  { says: /^It is reserved and can't be set\.$/, steps: entry(0, "environmentVariables"), value: { PATH: "" } },
  { says: /^It must be text: /, steps: entry(0, "environmentVariables"), value: { REGION: "\ud800" } },
  { says: /^Data and variables have \d+ bytes as JSON; /, steps: entry(0, "data"), value: "x".repeat(20_000) },
  { says: /^Send a text\.$/, steps: p, value: ["x", 1] },
  { says: /^Send a whole number /, steps: p, value: { type: "integer", value: 1.5 } },
  { says: /^Send a number of at most 38 digits, /, steps: p, value: { type: "decimal", value: "x" } },
  { says: /^Send a finite number\.$/, steps: p, value: { type: "number", value: "x" } },
  { says: /^Send true or false\.$/, steps: p, value: { type: "boolean", value: "x" } },
  { says: /^Send a date such as /, steps: p, value: { type: "date", value: "2026-02-30" } },
  { says: /^Send a local time such as /, steps: p, value: { type: "timestamp", value: "noon" } },
  { says: /^Send an instant such as /, steps: p, value: { type: "timestamptz", value: "2026-01-31T12:30:00" } },
];

export const BEYOND_SCHEMA: readonly Beyond[] = [...BETWEEN_MEMBERS, ...IN_VALUES];
