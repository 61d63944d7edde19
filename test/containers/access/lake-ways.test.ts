// What a caller whom data-access roles bind reads of the lake, by each way to read: what is granted and nothing else.
// Each way reads what is hidden where nobody is bound. The sample, exports and datasets are the Worker's ways:
// `test/unit/features/lakes/sample.test.ts`, `test/unit/lake/browse/export.test.ts`; a dataset's statement is
// one of these.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccessRoles } from "../../../kernel/access/access.ts";
import type { LakeGrant, StatementRequest } from "../../../kernel/wire/engine.ts";
import { FORMATS } from "../../../kernel/wire/engine-program.ts";
import type { SemanticModel } from "../../../kernel/semantic/model.ts";
import type { SemanticStatement } from "../../../kernel/semantic/query.ts";
import { profileColumn } from "../../../containers/engine/lake/profile.ts";
import { aGrant } from "../../support/node/access/a-grant.ts";
import { column } from "../../support/node/lake/test-lake.ts";
import { aStatement } from "../../support/node/programs/engine.ts";
import { SCHEMA, SemanticEngine } from "../../support/node/semantic/semantic-engine.ts";

/** Hidden values. */
const CANARY = "CANARY";
const TEXT = { postgres: "varchar(50)", mysql: "varchar(50)" };
const COLUMNS = [
  column(1, "id", "int64"),
  ...["region", "note", "masked", "secret"].map((name, i) => column(i + 2, name, "varchar")),
];
const TYPES = {
  id: { postgres: "bigint", mysql: "bigint" },
  ...Object.fromEntries(COLUMNS.slice(1).map(({ name }) => [name, TEXT])),
} as Record<string, typeof TEXT>;
const table = (name: string, rows: string[]) => ({ name, columns: COLUMNS, types: TYPES, rows });

const ROLES: AccessRoles = [
  [
    aGrant("partly", {
      schema: SCHEMA,
      filters: [{ member: "region", operator: "equals", values: ["north"] }],
      masks: { masked: "***" },
      excludes: ["secret"],
    }),
  ],
];

let engine: SemanticEngine;
beforeAll(async () => {
  engine = await SemanticEngine.open([
    table("partly", [
      `(1, 'north', 'shown', '${CANARY}', '${CANARY}')`,
      `(2, 'south', '${CANARY}', '${CANARY}', '${CANARY}')`,
    ]),
    table("concealed", [`(1, 'north', '${CANARY}', '${CANARY}', '${CANARY}')`]),
  ]);
  const drive = join(engine.lake.platform.directory, "drive");
  mkdirSync(drive, { recursive: true });
  writeFileSync(join(drive, "ids.csv"), "id\n1\n2\n");
}, 120_000);
afterAll(() => engine?.close());

/** What is answered, failures included. Without roles the caller is bound by none. */
type Way = (roles?: AccessRoles) => Promise<string>;

const bySql =
  (sql: string, more: Partial<StatementRequest> = {}): Way =>
  async (roles) =>
    (await engine.send(aStatement({ sql, target: engine.target("lake", roles), ...more }))).text();

const dimension = (name: string) => ({ name, sql: name, type: "string" as const });
const cube = (name: string): SemanticModel["cubes"][number] => ({
  name,
  sql_table: `${SCHEMA}.${name}`,
  dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }, dimension("note"), dimension("masked")],
  measures: [{ name: "last", sql: "note", type: "max" }],
});

const byModel =
  (name: string, statement: Partial<SemanticStatement> = {}, request: Partial<StatementRequest> = {}): Way =>
  async (roles) => {
    const query = { dimensions: [`${name}.note`, `${name}.masked`], measures: [`${name}.last`] };
    const model = { cubes: [cube(name)], views: [] };
    return (await engine.ask("lake", { query, model, statement, request, ...(roles && { roles }) })).text();
  };

const byProfile =
  (name: string, of: string): Way =>
  async (roles) => {
    const { lake } = engine.target("lake", roles) as { lake: LakeGrant };
    const request = { id: crypto.randomUUID(), lake, schema: SCHEMA, table: name, column: of, type: "varchar" };
    return profileColumn({ ...request, deadlineMs: 30_000 }, engine.lake.lake, new AbortController().signal).then(
      (profile) => JSON.stringify(profile),
      (error: unknown) => String(error),
    );
  };

const NEWEST = 2;
const WAYS: [name: string, way: Way, hidden?: string][] = ["partly", "concealed"].flatMap((name) => {
  const from = `${SCHEMA}.${name}`;
  return [
    ...FORMATS.map((format): [string, Way] => [`${name} by SQL as ${format}`, bySql(`FROM ${from}`, { format })]),
    [`a hidden row's cell of ${name}`, bySql(`SELECT note FROM ${from} WHERE note LIKE 'C%'`)],
    [`a hidden column of ${name}`, bySql(`SELECT secret FROM ${from}`)],
    [`a sample of ${name}`, bySql(`SELECT * FROM ${from} USING SAMPLE 100%`)],
    [`a summary of ${name}`, bySql(`SUMMARIZE ${from}`)],
    [`${name} beside a file of the drive`, bySql(`FROM ${from} JOIN 'gs://bucket/team/drive/ids.csv' d USING (id)`)],
    [`${name} at a snapshot`, bySql(`FROM ${from} AT (VERSION => ${NEWEST})`)],
    [`${name} for the result cache`, bySql(`SELECT * FROM ${from}`, { persist: true })],
    [`${name} by a semantic query`, byModel(name)],
    [`${name} by a semantic query, in columns`, byModel(name, { responseFormat: "columnar" })],
    [`${name} by a semantic query, as csv`, byModel(name, {}, { format: "csv" })],
    [`the profile of a column of ${name}`, byProfile(name, "secret")],
    [`the profile of a masked column of ${name}`, byProfile(name, "masked")],
  ];
});

const NAMES: [name: string, way: Way, hidden: string][] = [
  ["a table's name by SHOW", bySql("SHOW ALL TABLES"), "concealed"],
  ["a column's name by SHOW", bySql("SHOW ALL TABLES"), "secret"],
  ["a table's name by information_schema", bySql("FROM information_schema.tables"), "concealed"],
  ["a column's name by information_schema", bySql("FROM information_schema.columns"), "secret"],
  ["a column's name by DESCRIBE", bySql(`DESCRIBE ${SCHEMA}.partly`), "secret"],
];

describe("a caller whom roles bind reads no more than is granted", () => {
  it.each([...WAYS, ...NAMES])("of %s", async (_, way, hidden = CANARY) => {
    expect(await way()).toContain(hidden);
    expect(await way(ROLES)).not.toContain(hidden);
    expect(await way([])).not.toContain(hidden);
  });

  it.each(FORMATS)("and no less, as %s", async (format) => {
    expect(await bySql(`FROM ${SCHEMA}.partly`, { format })(ROLES)).toMatch(/shown/);
  });
});
