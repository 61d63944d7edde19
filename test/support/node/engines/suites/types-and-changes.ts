// A client reads tables of every type and with every kind of change as the API does.

import { describe, expect, it } from "vitest";
import { inLanes } from "../../in-lanes.ts";
import type { ClientKind } from "../clients.ts";
import { asClientTable, comparable, differences, isNested, isUnreadable } from "../columns.ts";
import type { Engine } from "../engine-client.ts";
import type { TableTruth } from "../history.ts";
import { countsByApi, predicatesAtBounds } from "../predicates.ts";
import { TABLES, type World } from "../world.ts";

const CHANGES = 14;
const PREDICATES = 60;
/** Snapshots that are read at a time, where the client does so. */
const LANES = 2;
const HIDDEN_FROM_SPARK: readonly string[] = ["TIME", "TIMESTAMP_MS", "UTINYINT", "USMALLINT"];

export function describeTypesAndChanges(kind: ClientKind, world: () => World, engine: () => Engine): void {
  const client = () => engine().of("lake");

  it("lists the tables", async () => {
    const listed = await client().tables();
    for (const { table } of Object.values(world().histories)) expect(listed).toContainEqual(table);
  });

  const isSpark = kind.profile === "spark";
  const isShown = ({ type }: { type: string }): boolean =>
    !isUnreadable(type) && !(isSpark && HIDDEN_FROM_SPARK.includes(type));

  /** `isSeen`: whether the client has the column. `snapshot`: as of then; the rows of now where it is undefined. */
  async function expectEqualRows(
    { table, truth }: TableTruth,
    isSeen: (column: { type: string }) => boolean,
    snapshot?: number,
  ): Promise<void> {
    const [expected, seen] = await Promise.all([truth(snapshot), client().read(table, snapshot)]);
    const wanted = kind.asItReads(asClientTable(expected, isSeen));
    expect(seen.columns, `snapshot ${snapshot}`).toEqual(wanted.columns);
    const [one, other] = [seen, wanted].map((each) => comparable(each, expected.types));
    expect(differences(one!, other!), `snapshot ${snapshot}`).toEqual({ missing: [], surplus: [] });
  }

  describe.each(Object.keys(TABLES))("of the table %s", (name) => {
    /** Spark is shown nothing that has parts of a table with a time. */
    const isSeen = (column: { type: string }): boolean =>
      isShown(column) && !(isSpark && name === "everything" && isNested(column.type));

    it("reads the rows of now", () => expectEqualRows(world().histories[name]!, isSeen));

    it("reads the rows of each snapshot", async () => {
      const history = world().histories[name]!;
      expect(history.snapshots.length).toBeGreaterThan(CHANGES);
      await inLanes(history.snapshots, LANES, (snapshot) => expectEqualRows(history, isSeen, snapshot));
    });
  });

  it("reads values that files keep in dictionaries", () => expectEqualRows(world().repeated, isShown));

  it.each(["everything", "repeated"] as const)(
    "finds in %s by predicates at bounds what the API finds",
    async (name) => {
      const { table, truth } = name === "repeated" ? world().repeated : world().histories[name]!;
      const predicates = predicatesAtBounds(await truth(), TABLES.everything!.filter(isShown));
      expect(predicates.length).toBeGreaterThan(PREDICATES);
      const [seen, expected] = await Promise.all([client().count(table, predicates), countsByApi(table, predicates)]);
      expect(seen).toEqual(expected);
    },
  );
}
