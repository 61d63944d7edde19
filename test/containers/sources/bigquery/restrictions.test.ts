// What reaches BigQuery of statements that are refused: nothing before the gate agrees, and no job before its own plan
// does.

import { beforeEach, describe, expect, it } from "vitest";
import type { AccessGrant } from "../../../../kernel/access/access.ts";
import type { BigQueryCredentials } from "../../../../kernel/wire/source.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { CallerAccess } from "../../../../containers/engine/sources/access/caller-access.ts";
import { bigquery } from "../../../../containers/engine/sources/bigquery/connector.ts";
import { REFUSED_STATEMENTS } from "../../../support/node/sources/bigquery/statements.ts";
import { withFakeBigquery } from "../../../support/node/sources/bigquery/with-fake.ts";

const fake = withFakeBigquery(async ({ database }) => {
  for (const sql of [
    "CREATE SCHEMA shop",
    "CREATE SCHEMA hr",
    "CREATE TABLE shop.orders (id INT64)",
    "CREATE TABLE hr.salaries (amount INT64)",
    "INSERT INTO hr.salaries VALUES (4242)",
    "CREATE VIEW shop.pay AS SELECT amount FROM hr.salaries",
    "CREATE VIEW shop.constant AS SELECT 4242 AS amount",
  ])
    await database.execute(sql);
});
let [jobsBefore, requestsBefore] = [0, 0];
beforeEach(() => {
  jobsBefore = fake().jobs.statements.length;
  requestsBefore = fake().requests.length;
});
const requests = () => fake().requests.slice(requestsBefore);
/** What was run, and not only planned. */
const executed = () =>
  fake()
    .jobs.statements.slice(jobsBefore)
    .filter(({ isDryRun }) => !isDryRun);

const whole = (schema: string, table: string): AccessGrant => ({ schema, table, excludes: [], masks: {}, filters: [] });
const ROLE = [whole("shop", "*")];

type QueryOptions = { access?: "everything" | CallerAccess } & Partial<BigQueryCredentials>;

async function outcomeOf(sql: string, { access = "everything", ...more }: QueryOptions = {}): Promise<string> {
  const statement = { source: fake().source(more), sql, access, signal: new AbortController().signal };
  try {
    return await bigquery.query(statement, async ({ rows }) => {
      let count = 0;
      await rows(() => ++count > 0);
      return `${count} rows`;
    });
  } catch (error) {
    return error instanceof Failure ? `${error.code}: ${error.message}` : String(error);
  }
}
const bound = { access: new CallerAccess([ROLE]) };

describe("of a statement that the gate refuses", () => {
  it("no byte reaches the service", async () => {
    expect(REFUSED_STATEMENTS.length).toBeGreaterThan(100);
    for (const sql of REFUSED_STATEMENTS)
      expect([sql, await outcomeOf(sql)]).toEqual([sql, expect.stringMatching(/^statement_refused/)]);
    expect(requests()).toEqual([]);
  });

  it("nor does one where the key file is none", async () => {
    for (const file of ["{}", '{"type":"external_account","credential_source":{"url":"http://169.254.169.254"}}'])
      expect(await outcomeOf("SELECT 1", { credentials_json: file })).toMatch(/^connection_failed/);
    expect(requests()).toEqual([]);
  });
});

describe("of a statement that BigQuery takes for another than a SELECT", () => {
  it.each([
    { statementType: "CREATE_TABLE_AS_SELECT" },
    { statementType: "SCRIPT" },
    { statementType: undefined },
    { referencedRoutines: [{ projectId: "p", datasetId: "d", routineId: "r" }] },
  ])("only the plan is asked for: %o", async (said) => {
    fake().spoil("jobs.insert", (answer) => {
      const body = structuredClone(answer.body) as { statistics: { query: object } };
      Object.assign(body.statistics.query, said);
      return { ...answer, body };
    });
    expect(await outcomeOf("SELECT id FROM shop.orders")).toMatch(/^statement_refused/);
    expect(executed()).toEqual([]);
  });
});

describe("of a bound caller's statement", () => {
  it("that names what is hidden nothing is sent, and of one that reads it beneath a view only the plan is asked for", async () => {
    const missing = await outcomeOf("SELECT * FROM nowhere.nothing", bound);
    expect(await outcomeOf("SELECT * FROM hr.salaries", bound)).toBe(missing);
    expect(await outcomeOf("SELECT * FROM shop.orders, hr.salaries", bound)).toBe(missing);
    expect(requests()).toEqual([]);
    expect(await outcomeOf("SELECT * FROM shop.pay", bound)).toBe(missing);
    // Its plan names no table: there is no knowing what it reads.
    expect(await outcomeOf("SELECT * FROM shop.constant", bound)).toBe(missing);
    expect(await outcomeOf("SELECT * FROM shop.nothing", bound)).toBe(missing);
    expect(executed()).toEqual([]);
    expect(await outcomeOf("SELECT * FROM shop.orders", bound)).toBe("0 rows");
    expect(await outcomeOf("SELECT * FROM shop.pay")).toBe("1 rows");
  });

  it("whose plan lacks its tables nothing is run", async () => {
    fake().spoil("jobs.insert", (answer) => {
      const body = structuredClone(answer.body) as { statistics: { query: { referencedTables?: unknown } } };
      delete body.statistics.query.referencedTables;
      return { ...answer, body };
    });
    expect(await outcomeOf("SELECT * FROM shop.orders", bound)).toMatch(/^sql_error/);
    expect(executed()).toEqual([]);
  });
});

describe("beyond the bytes that may be billed", () => {
  it("nothing is run, and the limit goes with each job", async () => {
    fake().jobs.bytesProcessed = 5_000;
    expect(await outcomeOf("SELECT id FROM shop.orders", { maximum_bytes_billed: "1000" })).toMatch(
      /^sql_error: .*5000 bytes.*maximum_bytes_billed/,
    );
    expect(executed()).toEqual([]);
    // How large a hidden table is beneath a view is not told either.
    expect(await outcomeOf("SELECT * FROM shop.pay", { ...bound, maximum_bytes_billed: "1000" })).toBe(
      await outcomeOf("SELECT * FROM nowhere.nothing", bound),
    );
    expect(await outcomeOf("SELECT id FROM shop.orders", { maximum_bytes_billed: "6000" })).toBe("0 rows");
    expect(executed().map(({ request }) => request.configuration.query.maximumBytesBilled)).toEqual(["6000"]);
    fake().jobs.bytesProcessed = 1_024;
  });
});
