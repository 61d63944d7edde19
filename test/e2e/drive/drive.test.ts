// The drive as a client uses it: the URLs alone, with curl and nothing it was not given, and SQL on what was sent.

import { execFile } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signAsHolder } from "../../support/node/platform/url-holder.ts";
import { call, newTeam, query, rowsOf } from "../client.ts";

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-drive-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type UploadUrl = { upload_url: string; gcs_path: string; drive_path: string };

const uploadUrl = async (path: string): Promise<UploadUrl> => {
  const { status, body } = await call<UploadUrl>("POST", "/v3/drive/upload-url", { body: { path } });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** Status and body of what curl was answered; it is given `args` and nothing else. */
async function curl(...args: string[]): Promise<{ status: number; body: string; etag: string }> {
  const { stdout } = await run("curl", [
    "-sS",
    "--max-time",
    "60",
    "-o",
    "-",
    "-w",
    "\n%{http_code} %header{etag}",
    ...args,
  ]);
  const at = stdout.lastIndexOf("\n");
  const [status, etag = ""] = stdout.slice(at + 1).split(" ");
  return { status: Number(status), body: stdout.slice(0, at), etag };
}

/** Sends a file by the URL alone. */
async function put(path: string, content: string | Uint8Array): Promise<UploadUrl> {
  const local = join(folder, randomUUID());
  await writeFile(local, content);
  const answer = await uploadUrl(path);
  expect(await curl("-T", local, answer.upload_url)).toMatchObject({ status: 200 });
  return answer;
}

const fileQuery = (path: string) => `/v3/drive/file?${new URLSearchParams({ path }).toString()}`;

describe("a file sent by curl with the URL alone", () => {
  it.each([
    "plain.csv",
    "spaces and (signs) + % & é 日本.csv",
    "%2e/%2F.csv",
    " leading and trailing ",
    `${"long-é/".repeat(125)}end.csv`,
  ])("arrives, is listed, downloads and goes: %s", async (path) => {
    const content = randomBytes(100_000);
    await put(path, content);
    expect((await call(`GET`, fileQuery(path))).body).toMatchObject({ path, bytes: 100_000 });
    const { body: page } = await call<{ files: { path: string }[] }>(
      "GET",
      `/v3/drive/files?${new URLSearchParams({ prefix: path }).toString()}`,
    );
    expect(page.files.map((file) => file.path)).toEqual([path]);
    const { body: download } = await call<{ download_url: string }>("POST", "/v3/drive/download-url", {
      body: { path },
    });
    const local = join(folder, "download");
    await run("curl", ["-sSf", "-o", local, download.download_url]);
    expect((await readFile(local)).equals(content)).toBe(true);
    expect((await call("DELETE", fileQuery(path))).status).toBe(204);
    expect((await curl(download.download_url)).status).toBe(404);
    expect((await call("GET", fileQuery(path))).status).toBe(404);
  });

  it("may be empty, and may replace what was there", async () => {
    await put("again.csv", "id\n1\n");
    await put("again.csv", "");
    expect((await call("GET", fileQuery("again.csv"))).body).toMatchObject({ bytes: 0 });
  });
});

describe("the store answers 403 to a URL", () => {
  const local = () => join(folder, "small");
  beforeAll(() => writeFile(local(), "x"));

  it("for another method, or changed in any part", async () => {
    const { upload_url: url } = await uploadUrl("guarded.csv");
    expect((await curl(url)).status).toBe(403);
    expect((await curl("-X", "DELETE", url)).status).toBe(403);
    const changes: [string, string][] = [
      ["guarded.csv", "other.csv"],
      ["X-Amz-Expires=3600", "X-Amz-Expires=36000"],
      ["/drive/", "/lake/"],
      ["X-Amz-Signature=", "X-Amz-Signature=0"],
    ];
    for (const [from, to] of changes) {
      expect(url).toContain(from);
      expect((await curl("-T", local(), url.replace(from, to))).status, to).toBe(403);
    }
    expect((await call("GET", fileQuery("guarded.csv"))).status).toBe(404);
  });

  it("that has expired", async () => {
    const { upload_url: url } = await uploadUrl("late.csv");
    // The late URL is the one given out now, signed an hour ago.
    const signedAt = (secondsAgo: number) => signAsHolder(url, { method: "PUT", secondsAgo });
    const late = await curl("-T", local(), await signedAt(3_605));
    expect(late).toMatchObject({ status: 403, body: expect.stringContaining("ExpiredRequest") });
    expect((await curl("-T", local(), await signedAt(3_500))).status).toBe(200);
  });
});

it("joins three parts to one file", async () => {
  const path = "parts/large.bin";
  const content = randomBytes(2 * 5 * 1024 * 1024 + 12_345);
  const { body: upload } = await call<{ upload_id: string; part_bytes_min: number }>("POST", "/v3/drive/uploads", {
    body: { path },
  });
  const { body: signed } = await call<{ parts: { part_number: number; upload_url: string }[] }>(
    "POST",
    `/v3/drive/uploads/${upload.upload_id}/parts`,
    { body: { part_numbers: [1, 2, 3] } },
  );
  const parts = await Promise.all(
    signed.parts.map(async ({ part_number, upload_url }, i) => {
      const local = join(folder, `part-${part_number}`);
      await writeFile(local, content.subarray(i * upload.part_bytes_min, (i + 1) * upload.part_bytes_min));
      const { status, etag } = await curl("-T", local, upload_url);
      expect(status).toBe(200);
      return { part_number, etag };
    }),
  );
  expect(await call("POST", `/v3/drive/uploads/${upload.upload_id}/complete`, { body: { parts } })).toMatchObject({
    status: 200,
    body: { path, bytes: content.length },
  });
  const { body: download } = await call<{ download_url: string }>("POST", "/v3/drive/download-url", { body: { path } });
  expect(Buffer.from(await (await fetch(download.download_url)).arrayBuffer()).equals(content)).toBe(true);
});

describe("a query", () => {
  it("reads CSV, Parquet and JSON by the path that the upload was answered with", async () => {
    const parquet = join(folder, "t.parquet");
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT range AS id, range * 2 AS double FROM range(1000)) TO '${parquet}'`);
    connection.closeSync();
    instance.closeSync();
    const [csv, table, json] = [
      await put("q/a.csv", "id,name\n1,Ada\n2,Bo\n"),
      await put("q/t.parquet", await readFile(parquet)),
      await put("q/r.json", '[{"id": 2, "tags": ["x"]}]'),
    ];
    expect(
      await rowsOf(
        `SELECT name, double, tags FROM read_csv('${csv.gcs_path}') JOIN read_parquet('${table.gcs_path}') USING (id) JOIN read_json('${json.gcs_path}') USING (id)`,
      ),
    ).toEqual([{ name: "Bo", double: 4, tags: ["x"] }]);
    expect(await rowsOf(`SELECT count(*) AS n FROM '${table.gcs_path}'`)).toEqual([{ n: 1_000 }]);
    await put("q/a2.csv", "id,name\n3,Cy\n");
    expect(await rowsOf(`SELECT count(*) AS n FROM read_csv('${csv.gcs_path.replace("a.csv", "a*.csv")}')`)).toEqual([
      { n: 3 },
    ]);
    // A file that was replaced is read anew.
    await put("q/a.csv", "id,name\n9,Zoe\n");
    expect(await rowsOf(`SELECT name FROM '${csv.gcs_path}'`)).toEqual([{ name: "Zoe" }]);
  });

  it("joins a file with a path longer than a key with a table of the lake", async () => {
    const { gcs_path: path } = await put(`${"é".repeat(600)}/ids.csv`, "order_id\n1\n2\n");
    expect(await rowsOf(`SELECT count(*) AS n FROM '${path}' JOIN LAKE.sample.orders USING (order_id)`)).toEqual([
      { n: 2 },
    ]);
  });

  it("that writes takes its rows from a file, also beside a table as it was", async () => {
    const { gcs_path: path } = await put("q/new rows.csv", "id,name\n1,Ada\n2,Bo\n");
    const table = `LAKE.main.from_drive_${randomUUID().slice(0, 8)}`;
    expect(await rowsOf(`CREATE TABLE ${table} AS SELECT * FROM read_csv('${path}')`)).toEqual([{ count: 2 }]);
    const written =
      "MERGE INTO " +
      table +
      ` AS t USING read_csv('${path}') AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = upper(s.name)`;
    expect(await rowsOf(written)).toEqual([{ count: 2 }]);
    const before = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await rowsOf(`INSERT INTO ${table} SELECT id + 10, name FROM '${path}'`)).toEqual([{ count: 2 }]);
    expect(
      await rowsOf(
        `SELECT t.name, s.name AS file FROM ${table} AS t AT (TIMESTAMP => '${before}') JOIN '${path}' AS s USING (id) ORDER BY id`,
      ),
    ).toEqual([
      { name: "ADA", file: "Ada" },
      { name: "BO", file: "Bo" },
    ]);
    await rowsOf(`DROP TABLE ${table}`);
  });

  it("is refused another team's files, and finds none of them under its own name", async () => {
    const { gcs_path: path } = await put("private.csv", "secret\nnobody else's\n");
    const { id, key } = await newTeam("Stranger");
    const foreign = await query(`SELECT * FROM '${path}'`, {}, { key });
    expect(foreign, JSON.stringify(foreign.body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("own team") },
    });
    expect(JSON.stringify(foreign.body)).not.toContain("nobody else");
    const own = await query(`SELECT * FROM '${path.replace(/\/\/([^/]+)\/[^/]+/, `//$1/${id}`)}'`, {}, { key });
    expect(own).toMatchObject({ status: 400, body: { message: expect.stringContaining("There is no file") } });
  });
});

type Ran = { data: { results: { main: { executionId: string; error: string | null } } } };
type Execution = { data: { result: { download_url: string } } };

/** What one Python dataset makes, run by webhook. */
async function resultOf(code: string): Promise<unknown> {
  const datasets = { main: { engine: "python", code, timeoutMs: 60_000 } };
  const definition = { version: 1, kind: "pipeline", metadata: { name: "Reads the drive" }, datasets };
  const { body: doc } = await call<{ data: { id: string } }>("POST", "/v4/docs", { body: definition });
  const { body: ran } = await call<Ran>("POST", `/v4/webhook/docs/${doc.data.id}/execute`, { body: {} });
  const { executionId, error } = ran.data.results.main;
  expect(error).toBeNull();
  const { body: execution } = await call<Execution>("GET", `/v4/executions/${executionId}`);
  return (await fetch(execution.data.result.download_url)).json();
}

it("is read by a dataset at its drive_path, as it is by then", async () => {
  const path = `sandbox-${randomUUID()}/ü 100%/parts.bin`;
  for (const end of ["one!", "two!"]) {
    const { drive_path: drivePath } = await put(path, Buffer.concat([randomBytes(20 * 1024 * 1024), Buffer.from(end)]));
    const code = `
with open(${JSON.stringify(drivePath)}, "rb") as file:
    size = file.seek(0, 2)
    file.seek(-4, 2)
    result = {"size": size, "end": file.read().decode()}`;
    expect(await resultOf(code)).toEqual({ size: 20 * 1024 * 1024 + 4, end });
  }
}, 120_000);

it("is read there by pandas and DuckDB, in a process with the memory that the launcher was set to", async () => {
  const { drive_path: path } = await put(`sales-${randomUUID()}/may.csv`, "day,amount\n1,10\n2,32\n");
  const code = `
import duckdb, pandas as pd, resource
path = ${JSON.stringify(path)}
total = duckdb.sql(f"SELECT sum(amount) FROM '{path}'").fetchall()[0][0]
result = [int(pd.read_csv(path)["amount"].sum()), int(total), resource.getrlimit(resource.RLIMIT_DATA)[0] >> 20]`;
  expect(await resultOf(code)).toEqual([42, 42, 1_900]);
}, 120_000);
