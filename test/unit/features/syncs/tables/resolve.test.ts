import { describe, expect, it } from "vitest";
import { ownerOf } from "../../../../../src/features/syncs/sync.ts";
import { newWorld } from "../../../../support/unit/work-model/sync-world.ts";

describe("a star", () => {
  const tables = (...names: string[]) => ({
    schemas: [
      {
        name: "public",
        tables: names.map((name) => ({
          name,
          kind: "table" as const,
          rowsEstimate: null,
          columns: [{ name: "id", type: "integer", nullable: false }],
          primaryKey: [],
        })),
      },
    ],
  });
  const config = { tables: ["public.*"], loadMethod: "merge" as const, cursors: {}, appendFullRows: false };

  it("means the tables there are at the run, which become the sync's own", async () => {
    const world = await newWorld();
    const sync = await world.addSync({ config });
    world.found = tables("a", "b");
    const run = await world.run(sync);
    await world.step(run);
    expect(world.onlyJob().request.work).toMatchObject({
      tables: ["public.a", "public.b"],
      brought: ["public.a", "public.b"],
      leftOut: [],
      cursorsPicked: {},
    });
    expect(await world.catalog.ownerOf(sync.destSchema, "b")).toMatchObject({ owner: ownerOf(sync.id) });
  });

  it("brings tables that have come since with the cursors that are sure, to append to them", async () => {
    const world = await newWorld();
    const sync = await world.addSync({ config: { ...config, loadMethod: "append" } });
    world.found = tables("counted", "plain");
    for (const [i, table] of world.found.schemas[0]!.tables.entries()) {
      table.primaryKey = ["id"];
      table.columns[0]!.counted = i === 0;
    }
    await world.step(await world.run(sync));
    expect(world.onlyJob().request.work).toMatchObject({ cursorsPicked: { "public.counted": "id" } });
  });

  it("goes along as it is where it means no table any more, so that the job tells what is gone", async () => {
    const world = await newWorld();
    const sync = await world.addSync({ config });
    world.found = tables();
    await world.step(await world.run(sync));
    expect(world.onlyJob().request.work).toMatchObject({ tables: ["public.*"] });
  });

  it("leaves out a table without columns, and one that another sync owns, and gives the job the reasons", async () => {
    const world = await newWorld();
    const sync = await world.addSync({ config });
    await world.catalog.claimTables({ owner: "sync:other", name: "the other" }, [
      { schema: sync.destSchema, name: "b" },
    ]);
    world.found = tables("a", "b", "bare");
    world.found.schemas[0]!.tables[2]!.columns = [];
    const run = await world.run(sync);
    await world.step(run);
    expect(world.onlyJob().request.work).toMatchObject({
      tables: ["public.a"],
      leftOut: [
        { path: "public.bare", reason: expect.stringContaining("has no columns") },
        { path: "public.b", reason: expect.stringContaining(`${sync.destSchema}.b belongs to the other`) },
      ],
    });
  });
});
