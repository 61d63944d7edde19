// BigQuery as a source, on the fake: queries, the test of a connection, introspection, cancelling, credentials.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import type { Column, Row } from "../../../../containers/engine/formats/result.ts";
import { bigquery } from "../../../../containers/engine/sources/bigquery/connector.ts";
import { KEY_FILE } from "../../../support/node/sources/bigquery/fake-tokens.ts";
import { withFakeBigquery } from "../../../support/node/sources/bigquery/with-fake.ts";

const never = () => new AbortController().signal;

const fake = withFakeBigquery(async ({ database, facts }) => {
  await database.execute(`
    CREATE SCHEMA shop;
    CREATE TABLE shop.orders (
      id INT64 NOT NULL, note STRING, amount NUMERIC(10, 2), tags VARCHAR[], PRIMARY KEY (id) NOT ENFORCED);
    INSERT INTO shop.orders VALUES (1, 'first', 1.50, ['a']), (2, NULL, 2, NULL);
    CREATE VIEW shop.recent AS SELECT id FROM shop.orders;
    CREATE SCHEMA empty`);
  facts.set("shop.orders", { description: "What was sold", permissions: ["bigquery.tables.updateData"] });
});

const cellsOf = ({ bytes, starts, ends }: Row) =>
  Array.from(starts, (start, i) => (ends[i] === -1 ? null : Buffer.from(bytes.subarray(start, ends[i])).toString()));

type QueryOptions = Partial<Parameters<typeof bigquery.query>[0]>;

const run = (sql: string, more: QueryOptions = {}): Promise<{ columns: Column[]; rows: (string | null)[][] }> =>
  bigquery.query(
    { source: fake().source(), sql, access: "everything", signal: never(), ...more },
    async ({ columns, rows }) => {
      const all: (string | null)[][] = [];
      await rows((row) => all.push(cellsOf(row)) > 0);
      return { columns, rows: all };
    },
  );

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Failure);
  return error as Failure;
}

/** The engine leaves none open. */
const noSockets = () => vi.waitFor(() => expect(fake().connections()).toBe(0));

afterEach(noSockets);

describe("a query", () => {
  it("gives rows and columns", async () => {
    const { columns, rows } = await run("SELECT * FROM shop.orders ORDER BY id");
    expect(columns).toEqual([
      { name: "id", type: "INT64", kind: "bigint" },
      { name: "note", type: "STRING", kind: "text" },
      { name: "amount", type: "NUMERIC", kind: "decimal", precision: 38, scale: 9 },
      { name: "tags", type: "ARRAY<STRING>", kind: "json" },
    ]);
    expect(rows).toEqual([
      ["1", "first", "1.5", '["a"]'],
      ["2", null, "2", "[]"],
    ]);
  });

  it("runs once, behind a dry run of the same text, within the bytes and the time that it may take", async () => {
    const before = fake().jobs.statements.length;
    await run("SELECT 1 AS one", { source: fake().source({ maximum_bytes_billed: "1000000" }), deadlineMs: 10_000 });
    const [planned, ran, ...more] = fake().jobs.statements.slice(before);
    expect(more).toEqual([]);
    expect([planned!.isDryRun, ran!.isDryRun]).toEqual([true, false]);
    expect([planned!.sql, ran!.sql]).toEqual(["SELECT 1 AS one", "SELECT 1 AS one"]);
    const { query, jobTimeoutMs } = ran!.request.configuration;
    expect(query).toMatchObject({ useLegacySql: false, maximumBytesBilled: "1000000" });
    expect(Number(jobTimeoutMs)).toBeGreaterThan(10_000);
    expect(Number(jobTimeoutMs)).toBeLessThanOrEqual(12_000);
    expect(ran!.request.jobReference).toMatchObject({ jobId: expect.stringMatching(/^fjord_/), location: "EU" });
  });

  it("takes bound values", async () => {
    const { rows } = await run("SELECT id FROM shop.orders WHERE id = CAST(? AS INT64) AND ? IS NULL", {
      values: [2, null],
    });
    expect(rows).toEqual([["2"]]);
  });

  it("says what is wrong with a statement, with Google's own reason", async () => {
    const missing = await failureOf(run("SELECT * FROM shop.missing"));
    expect(missing).toMatchObject({ code: "sql_error", message: expect.stringMatching(/Not found.*\(notFound\)$/) });
    expect(await failureOf(run("SELECT nope FROM shop.orders"))).toMatchObject({
      code: "sql_error",
      message: expect.stringMatching(/\(invalidQuery\)$/),
    });
  });

  it("says where in the statement, where Google does", async () => {
    fake().spoil("jobs.insert", () => ({
      status: 400,
      body: {
        error: { message: "Unrecognized name: nope at [2:3]", errors: [{ reason: "invalidQuery", message: "" }] },
      },
    }));
    expect(await failureOf(run("SELECT\n  nope"))).toMatchObject({ code: "sql_error", position: 10 });
  });

  it("that would be billed for more than it may says which setting it is", async () => {
    const source = fake().source({ maximum_bytes_billed: "10" });
    const failure = await failureOf(run("SELECT 1 AS one", { source }));
    expect(failure.message).toContain("maximum_bytes_billed");
    expect(fake().jobs.statements.at(-1)!.isDryRun).toBe(true);
  });

  it("is cancelled at the service when nobody waits any more", async () => {
    fake().jobs.isHeldUp = true;
    const controller = new AbortController();
    const running = run("SELECT 1 AS held", { signal: controller.signal });
    await vi.waitFor(() =>
      expect(fake().jobs.statements.at(-1)).toMatchObject({ sql: "SELECT 1 AS held", isDryRun: false }),
    );
    controller.abort(new Failure("cancelled", "stopped by the test"));
    expect(await failureOf(running)).toMatchObject({ code: "cancelled" });
    expect(fake().jobs.cancellations).toContain(fake().jobs.statements.at(-1)!.jobId);
  });

  it("whose reader has enough is stopped, and asks for no more pages", async () => {
    fake().jobs.pageRows = 100;
    const sql = "SELECT n FROM UNNEST(GENERATE_ARRAY(1, 100000)) AS n";
    let taken = 0;
    const before = fake().requests.length;
    await bigquery.query({ source: fake().source(), sql, access: "everything", signal: never() }, ({ rows }) =>
      rows(() => ++taken < 250),
    );
    expect(taken).toBe(250);
    const followed = fake()
      .requests.slice(before)
      .filter(({ url }) => url.includes("pageToken="));
    // At most three requests follow: the last two of three pages, and the next, which is asked for while one is read.
    expect(followed.length).toBeLessThanOrEqual(3);
    expect(fake().jobs.cancellations).toContain(fake().jobs.statements.at(-1)!.jobId);
    fake().jobs.pageRows = 100_000;
  });

  it("passes on what its reader threw", async () => {
    const thrown = new Error("the reader's own");
    const reading = bigquery.query(
      { source: fake().source(), sql: "SELECT 1 AS one", access: "everything", signal: never() },
      ({ rows }) =>
        rows(() => {
          throw thrown;
        }),
    );
    await expect(reading).rejects.toBe(thrown);
  });

  it("is refused before anything is sent where it does more than read", async () => {
    const before = fake().requests.length;
    expect(await failureOf(run("DELETE FROM shop.orders WHERE TRUE"))).toMatchObject({ code: "statement_refused" });
    expect(fake().requests).toHaveLength(before);
  });
});

describe("the test of a connection", () => {
  it("says what answers, and whether the account could write", async () => {
    expect(await bigquery.test(fake().source(), never())).toEqual({
      product: "BigQuery",
      version: "REST v2",
      tls: false,
      canWrite: true,
    });
  });

  it("says that Google refuses the key", async () => {
    fake().spoil("token", () => ({
      status: 400,
      body: { error: "invalid_grant", error_description: "Invalid JWT Signature." },
    }));
    expect(await failureOf(bigquery.test(fake().source(), never()))).toMatchObject({
      code: "connection_failed",
      reason: "authentication",
      message: "BigQuery refused: Invalid JWT Signature. (invalid_grant)",
    });
  });

  it("finds no other credentials where those given are none", async () => {
    const ambient = { ...KEY_FILE, client_email: "ambient@shop-analytics.iam.gserviceaccount.com" };
    // A key that would do.
    const folder = mkdtempSync(join(tmpdir(), "bigquery-"));
    writeFileSync(join(folder, "key.json"), JSON.stringify(KEY_FILE));
    vi.stubEnv("GOOGLE_APPLICATION_CREDENTIALS", join(folder, "key.json"));
    vi.stubEnv("GCE_METADATA_HOST", new URL(fake().url).host);
    vi.stubEnv("BIGQUERY_EMULATOR_HOST", fake().url);
    vi.stubEnv("GOOGLE_CLOUD_PROJECT", "ambient-project");
    const before = fake().requests.length;
    for (const file of ["", "{}", "null", JSON.stringify({ type: "authorized_user" })])
      expect(await failureOf(bigquery.test(fake().source({ credentials_json: file }), never()))).toMatchObject({
        code: "connection_failed",
        reason: "authentication",
      });
    // Google's own service tells an account of another name apart by its key.
    const credentials_json = JSON.stringify(ambient);
    expect(await failureOf(bigquery.test(fake().source({ credentials_json }), never()))).toMatchObject({
      reason: "authentication",
    });
    expect(
      fake()
        .requests.slice(before)
        .map(({ operation }) => operation),
    ).toEqual(["token"]);
    rmSync(folder, { recursive: true });
    vi.unstubAllEnvs();
    vi.stubEnv("ENGINE_BIGQUERY_EMULATOR", fake().url);
  });
});

describe("introspection", () => {
  it("lists datasets, tables, views, columns, and keys that are declared", async () => {
    expect(await bigquery.introspect(fake().source(), never())).toEqual({
      truncated: false,
      schemas: [
        {
          name: "shop",
          tables: [
            {
              name: "orders",
              kind: "table",
              comment: "What was sold",
              rowsEstimate: 2,
              bytesEstimate: 200,
              columns: [
                { name: "id", type: "INT64", nullable: false, comment: null },
                { name: "note", type: "STRING", nullable: true, comment: null },
                { name: "amount", type: "NUMERIC(10, 2)", nullable: true, comment: null },
                { name: "tags", type: "ARRAY<STRING>", nullable: false, comment: null },
              ],
              primaryKey: ["id"],
              foreignKeys: [],
            },
            {
              name: "recent",
              kind: "view",
              comment: null,
              rowsEstimate: null,
              bytesEstimate: null,
              columns: [{ name: "id", type: "INT64", nullable: true, comment: null }],
              primaryKey: [],
              foreignKeys: [],
            },
          ],
        },
      ],
    });
  });

  it("leaves out what is elsewhere, or gone meanwhile", async () => {
    const elsewhere = await bigquery.introspect(fake().source({ location: "US" }), never());
    expect(elsewhere.schemas).toEqual([]);
    fake().spoil("tables.get", () => ({ status: 404, body: { error: { message: "Not found" } } }), { times: 1 });
    const [shop] = (await bigquery.introspect(fake().source(), never())).schemas;
    expect(shop!.tables).toHaveLength(1);
  });
});
