import { describe, expect, it } from "vitest";
import { valueOf } from "../../../../src/core/answer.ts";
import { createTable, newLake, newWriter, rowsOf } from "../../../support/unit/lake.ts";

async function newCatalog() {
  const lake = newLake();
  await (await newWriter(lake)).commit([createTable("s", "t")]);
  return lake;
}

describe("an option", () => {
  it("counts where it is set narrowest", async () => {
    const { catalog, ...lake } = await newCatalog();
    const size = async (scope?: { schema: string; table?: string }) =>
      valueOf(await catalog.listOptions(scope)).map(({ value, scope }) => `${value} ${scope}`);
    expect(await size()).toEqual([]);
    await catalog.setOption("target_file_size", "512MB");
    await catalog.setOption("target_file_size", "256MB", { schema: "S" });
    await catalog.setOption("target_file_size", "64MB", { schema: "s", table: "T" });
    await catalog.setOption("target_file_size", "128MB", { schema: "s" });
    expect([
      await size(),
      await size({ schema: "main" }),
      await size({ schema: "s" }),
      await size({ schema: "s", table: "t" }),
    ]).toEqual([["512MB lake"], ["512MB lake"], ["128MB schema"], ["64MB table"]]);
    await catalog.setOption("target_file_size", null, { schema: "s", table: "t" });
    expect(await size({ schema: "s", table: "t" })).toEqual(["128MB schema"]);
    expect(
      await rowsOf(
        { catalog, ...lake },
        "SELECT value, scope, scope_id FROM ducklake_metadata WHERE key = 'target_file_size' ORDER BY scope",
      ),
    ).toEqual([
      { value: "512MB", scope: null, scope_id: null },
      { value: "128MB", scope: "schema", scope_id: 1 },
    ]);
  });

  it.each<[string, string, { schema: string } | undefined]>([
    ["version", "2.0", undefined],
    ["data_path", "s3://elsewhere/", undefined],
    ["constructor", "x", undefined],
    ["target_file_size", "big", undefined],
    ["auto_compact", "yes", undefined],
    ["rewrite_delete_threshold", "1.5", undefined],
    ["expire_older_than", "30d", { schema: "s" }],
  ])("%s is not %s", async (key, value, scope) => {
    const { catalog } = await newCatalog();
    expect(await catalog.setOption(key, value, scope)).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed" },
    });
  });

  it("has no place in what is not there", async () => {
    const { catalog } = await newCatalog();
    const missing = { ok: false, refusal: { code: "resource_not_found" } };
    expect(await catalog.setOption("auto_compact", "false", { schema: "none" })).toMatchObject(missing);
    expect(await catalog.setOption("auto_compact", "false", { schema: "main", table: "t" })).toMatchObject(missing);
    expect(await catalog.listOptions({ schema: "s", table: "none" })).toMatchObject(missing);
  });
});
