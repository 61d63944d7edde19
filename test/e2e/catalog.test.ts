// The lake's catalog from outside: browsing, profiles, and an export that DuckDB's own extension reads over the same
// objects.

import { AwsClient } from "aws4fetch";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readWithDucklake } from "../support/node/lake/ducklake.ts";
import { call, rowsOf, send, type Integration } from "./client.ts";

type Figure<Value> = { value: Value; source: string; exact: boolean } | null;
type Profile = {
  source: string;
  complete: boolean;
  notes: string[];
  row_count: Figure<number>;
  null_share: Figure<number>;
  min: Figure<string>;
  max: Figure<string>;
  distinct_count: Figure<number>;
  top_values: Figure<{ value: string; count: number }[]>;
  histogram: Figure<{ count: number }[]>;
};

let root = "";
let directory = "";
beforeAll(async () => {
  const { body } = await call<{ data: Integration[] }>("GET", "/v1/api/integrations?type=lake");
  root = `/v4/catalog/integrations/${body.data[0]!.id}`;
  directory = await mkdtemp(join(tmpdir(), "fjord-catalog-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function get<Data>(path: string): Promise<Data> {
  const { status, body } = await call<{ data: Data }>("GET", `${root}${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

const SAMPLE = ["customers", "order_items", "orders", "products"];

describe("browsing", () => {
  it("lists the sample's tables with the rows a query counts", async () => {
    const { items } = await get<{
      items: {
        schema_name: string;
        table_name: string;
        row_count: number;
        bytes: number;
        last_change: { at: string };
      }[];
    }>("/tables");
    const sample = items.filter(({ schema_name: schema }) => schema === "sample");
    expect(sample.map(({ table_name: name }) => name)).toEqual(SAMPLE);
    for (const { table_name: name, row_count: rows, bytes } of sample) {
      expect(await rowsOf(`SELECT count(*) AS n FROM LAKE.sample.${name}`)).toEqual([{ n: rows }]);
      expect(bytes).toBeGreaterThan(1_000);
    }
  });

  it("shows a table's columns as information_schema does, and how it came to be", async () => {
    const { columns } = await get<{ columns: { name: string; type: string; nullable: boolean }[] }>(
      "/tables/sample/orders",
    );
    const described = await rowsOf(
      "SELECT column_name AS name, data_type AS type FROM LAKE.information_schema.columns WHERE table_schema = 'sample' AND table_name = 'orders' ORDER BY ordinal_position",
    );
    expect(columns.map(({ name, type }) => ({ name, type }))).toEqual(described);
    const { items } = await get<{ items: { operation: string; rows_added: number }[] }>(
      "/tables/sample/orders/snapshots",
    );
    expect(items.at(-1)).toMatchObject({ operation: "create", message: "Load the sample" });
  });

  it("profiles a column by the catalog and by a live read, each figure saying which", async () => {
    const profile = await get<Profile>("/tables/sample/orders/columns/STATUS/profile");
    expect(profile).toMatchObject({
      source: "catalog+query",
      complete: true,
      notes: [],
      row_count: { source: "catalog", exact: true },
      null_share: { value: 0, source: "catalog" },
    });
    const counted = await rowsOf(
      "SELECT status AS value, count(*) AS count FROM LAKE.sample.orders GROUP BY 1 ORDER BY 2 DESC, 1",
    );
    expect(profile.top_values!.value.map(({ value, count }) => ({ value, count }))).toEqual(counted);
    expect(profile.distinct_count).toEqual({ value: counted.length, source: "query", exact: true });

    const numbers = await get<Profile>("/tables/sample/orders/columns/shipping_fee/profile");
    const [ends] = await rowsOf(
      "SELECT CAST(min(shipping_fee) AS VARCHAR) AS min, CAST(max(shipping_fee) AS VARCHAR) AS max, count(*) AS n FROM LAKE.sample.orders",
    );
    expect({
      min: numbers.min!.value,
      max: numbers.max!.value,
      n: numbers.histogram!.value.reduce((sum, { count }) => sum + count, 0),
    }).toEqual(ends);
  });
});

describe("an export", () => {
  it("attached by DuckDB's own extension over the same objects has the same rows", async () => {
    const response = await send("GET", `${root}/export?format=0.3`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.status, response.headers.get("content-type"), response.headers.get("content-length")]).toEqual([
      200,
      "application/vnd.sqlite3",
      String(bytes.length),
    ]);
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="fjord-[0-9a-f-]{36}-\d+\.ducklake"$/,
    );
    const file = join(directory, "catalog.ducklake");
    await writeFile(file, bytes);

    const objects = await copyObjects(file);
    expect(objects).toBeGreaterThan(3);
    const sums = SAMPLE.map(
      (name) =>
        `SELECT count(*) AS n, CAST(bit_xor(md5_number_lower(CAST(to_json(t) AS VARCHAR))) AS VARCHAR) AS digest FROM (SELECT * FROM "LAKE".sample.${name}) AS t`,
    );
    const theirs = await readWithDucklake(file, `${join(directory, "objects")}/`, sums);
    for (const [i, sql] of sums.entries()) expect(theirs[i]).toEqual([Object.values((await rowsOf(sql))[0]!)]);
  });

  it("says where the objects are, or where the caller says they are", async () => {
    const pathIn = async (query: string): Promise<string> => {
      const file = join(directory, `${query.length}.ducklake`);
      await writeFile(file, Buffer.from(await (await send("GET", `${root}/export${query}`)).arrayBuffer()));
      return readFile<{ value: string }>(file, "SELECT value FROM ducklake_metadata WHERE key = 'data_path'")[0]!.value;
    };
    expect(await pathIn("")).toMatch(/^s3:\/\/fjord\/[0-9a-f-]{36}\/lake\/[0-9a-f-]{36}\/$/);
    expect(await pathIn("?data_path=/copy%20of/lake")).toBe("/copy of/lake/");
  });
});

function readFile<Row>(file: string, sql: string): Row[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

/** Every file the catalog names, from the local object store into a folder. Answers how many. */
async function copyObjects(catalog: string): Promise<number> {
  const path = `s.path || t.path || f.path AS path FROM ducklake_table t JOIN ducklake_schema s USING (schema_id)`;
  const files = ["ducklake_data_file", "ducklake_delete_file"].flatMap((table) =>
    readFile<{ path: string }>(catalog, `SELECT DISTINCT ${path} JOIN ${table} f USING (table_id)`),
  );
  const [{ value: dataPath }] = readFile<{ value: string }>(
    catalog,
    "SELECT value FROM ducklake_metadata WHERE key = 'data_path'",
  ) as [{ value: string }];
  const client = new AwsClient({ accessKeyId: "local", secretAccessKey: "local-only", service: "s3", region: "auto" });
  for (const { path: name } of files) {
    const object = await client.fetch(
      `${inject("platform").baseUrl}/cdn-cgi/local/r2/s3/${dataPath.slice("s3://".length)}${name}`,
    );
    expect(object.status, name).toBe(200);
    const copy = join(directory, "objects", name);
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, Buffer.from(await object.arrayBuffer()));
  }
  return files.length;
}
