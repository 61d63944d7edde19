// The one property of a session of Trino's protocol: what runs its queries.

import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { applyEdits } from "../../../../kernel/text/edits.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { addCluster } from "../../../support/unit/iceberg/clusters.ts";
import { newIcebergLake, type IcebergLake } from "../../../support/unit/iceberg/iceberg-lake.ts";
import { patientEngine, reportEnd } from "../../../support/unit/query/async-queries.ts";

let lake: IcebergLake;
let bare: IcebergLake;
let engine: ReturnType<typeof patientEngine>;
beforeAll(async () => {
  [lake, bare] = [await newIcebergLake(), await newIcebergLake()];
  await addCluster(lake.team.admin.key, lake.lakeId);
});
beforeEach(() => void (engine = patientEngine()));

type More = { session?: string; headers?: Record<string, string>; of?: IcebergLake };
async function send(raw: string, { session, headers = {}, of = lake }: More = {}) {
  const named = { "content-type": "text/plain", "x-trino-catalog": "lake", "x-trino-schema": "main" };
  const sent = { ...named, ...(session !== undefined && { "x-trino-session": session }), ...headers };
  return callWith(engine.bindings, "POST", "/v1/statement", { key: of.team.admin.key, raw, headers: sent });
}
const kindsOf = () => engine.sent.map(({ statement }) => statement.target.kind);

describe("a session's engine", () => {
  it.each(["duckdb", "trino", "auto"])("is set to %s, and back", async (name) => {
    const set = await send(`SET SESSION engine = '${name}'`);
    expect([set.headers.get("x-trino-set-session"), set.body.error]).toEqual([`engine=${name}`, undefined]);
    const shown = await send("SHOW SESSION", { session: `engine=${name}` });
    expect(shown.body.data.map((row: unknown[]) => row.slice(0, 3))).toEqual([["engine", name, "duckdb"]]);
    const reset = await send("RESET SESSION engine");
    expect(reset.headers.get("x-trino-clear-session")).toBe("engine");
  });

  it.each([
    ["SET SESSION engine = 'spark'", {}],
    ["SET SESSION engine = 1", {}],
    ["SET SESSION query_max_run_time = '1h'", {}],
    ["SET SESSION lake.engine = 'trino'", {}],
    ["SELECT 1", { session: "engine=spark" }],
    ["SELECT 1", { session: "engine=trino,query_priority=9" }],
  ])("is one of three, and no other property is there: %s %j", async (sql, more) => {
    expect((await send(sql, more)).body.error).toMatchObject({ errorType: "USER_ERROR" });
    expect(engine.sent).toEqual([]);
  });

  it("sends a query as it is, with its values and the clock of the session", async () => {
    const headers = {
      "x-trino-time-zone": "Europe/Berlin",
      "x-trino-extra-credential": "a=b",
      "x-trino-role": "x=ALL",
    };
    const prepared = { "x-trino-prepared-statement": `s=${encodeURIComponent("SELECT a FROM t WHERE a = ?")}` };
    const { body } = await send("EXECUTE s USING 7", { session: "engine=trino", headers: { ...headers, ...prepared } });
    expect(body.error).toBeUndefined();
    const { sql, target, format } = StatementRequest.parse(engine.sent[0]!.statement);
    if (target.kind !== "cluster") throw new Error("It was not for the cluster.");
    expect(target).toMatchObject({ timeZone: "Europe/Berlin", form: "trino", isParametric: false });
    expect([format, applyEdits(sql!, target.edits)!.replaceAll(/ +/g, " ").trim()]).toEqual([
      "ndjson",
      `SELECT a FROM "lake"."main"."t" FOR VERSION AS OF BIGINT '1' WHERE a = 7`,
    ]);
    expect(JSON.stringify(engine.sent)).not.toContain("a=b");
  });

  it("leaves to this platform what names no table of the lake, and what writes", async () => {
    for (const sql of [
      "SELECT 1",
      "SHOW TABLES",
      "SELECT * FROM information_schema.tables",
      "SELECT * FROM system.jdbc.types",
    ])
      expect((await send(sql, { session: "engine=trino" })).body.error).toBeUndefined();
    expect(kindsOf()).toEqual(["lake", "lake", "lake", "lake"]);
    expect((await send("DELETE FROM t", { session: "engine=trino" })).body.error).toBeUndefined();
  });

  it("trino fails where no cluster reads the lake; auto stays on DuckDB", async () => {
    expect((await send("SELECT * FROM t", { session: "engine=trino", of: bare })).body.error.message).toMatch(
      "No Trino",
    );
    expect((await send("SELECT * FROM t", { session: "engine=auto", of: bare })).body.error).toBeUndefined();
    expect(kindsOf()).toEqual(["lake"]);
  });

  it("has an error of the cluster's at its place in the text as it was sent, on a page and at once", async () => {
    const failure = { code: "sql_error", message: "Column 'b' cannot be resolved (COLUMN_NOT_FOUND)" } as const;
    const end = { outcome: "failed", failure, location: { position: 18, line: 2, column: 8 } } as const;
    const error = {
      message: "line 2:8: Column 'b' cannot be resolved (COLUMN_NOT_FOUND)",
      errorLocation: { lineNumber: 2, columnNumber: 8 },
      failureInfo: { errorLocation: { lineNumber: 2, columnNumber: 8 } },
    };
    const { body } = await send("SELECT a\nFROM t WHERE b", { session: "engine=trino" });
    expect(await reportEnd(engine, lake.team, body.id, end)).toBe(204);
    const page = await callWith(engine.bindings, "GET", new URL(body.nextUri).pathname, { key: lake.team.admin.key });
    expect(page.body.error).toMatchObject(error);
    engine.onSent = async () => ({ outcome: end, rows: "" });
    expect((await send("SELECT a\nFROM t WHERE b", { session: "engine=trino" })).body.error).toMatchObject(error);
  });

  it("has no place in a prepared text, of which the engine is told", async () => {
    const prepared = { "x-trino-prepared-statement": `s=${encodeURIComponent("SELECT a FROM t")}` };
    for (const session of ["engine=trino", "engine=auto", "engine=duckdb"])
      await send("EXECUTE s", { session, headers: prepared });
    await send("SELECT a FROM t", { session: "engine=trino" });
    expect(engine.sent.map(({ statement }) => statement.isTranslated)).toEqual([true, true, true, undefined]);
  });

  it("has the columns that the engine says with the end", async () => {
    const { body } = await send("SELECT a FROM t", { session: "engine=trino" });
    const columns = [{ name: "a", type: "bigint", typeSignature: { rawType: "bigint", arguments: [] } }];
    const end = { outcome: "succeeded", bytes: 0, readerHead: JSON.stringify(columns) } as const;
    expect(await reportEnd(engine, lake.team, body.id, end)).toBe(204);
    const page = await callWith(engine.bindings, "GET", new URL(body.nextUri).pathname, { key: lake.team.admin.key });
    expect(page.body).toMatchObject({ columns, stats: { state: "FINISHED" } });
  });
});
