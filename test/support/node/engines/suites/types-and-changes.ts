// A client reads tables of every type and with every kind of change as the API does.

import { describe, expect, it } from "vitest";
import type { ClientKind } from "../clients.ts";
import { asClientTable, comparable, differences, isNested, isUnreadable } from "../columns.ts";
import type { Engine } from "../engine-client.ts";
import type { History } from "../history.ts";
import { countsByApi, predicatesAtBounds } from "../predicates.ts";
import { TABLES, type World } from "../world.ts";

const CHANGES = 14;
const PREDICATES = 60;

export function describeTypesAndChanges(kind: ClientKind, world: () => World, engine: () => Engine): void {
  const client = () => engine().of("lake");

  it("lists the tables", async () => {
    const listed = await client().tables();
    for (const { table } of Object.values(world().histories)) expect(listed).toContainEqual(table);
  });

  describe.each(Object.keys(TABLES))("of the table %s", (name) => {
    /** Spark is shown no time, and of a table with one nothing that has parts. */
    const isHidden = ({ type }: { type: string }): boolean =>
      isUnreadable(type) || (kind.profile === "spark" && name === "everything" && (type === "TIME" || isNested(type)));

    /** `snapshot`: as of then; the rows of now where it is undefined. */
    async function expectEqualRows({ table, truth }: History, snapshot?: number): Promise<void> {
      const expected = await truth(snapshot);
      const seen = await client().read(table, snapshot);
      const wanted = kind.asItReads(asClientTable(expected, isHidden));
      expect(seen.columns, `snapshot ${snapshot}`).toEqual(wanted.columns);
      const [one, other] = [seen, wanted].map((each) => comparable(each, expected.types));
      expect(differences(one!, other!), `snapshot ${snapshot}`).toEqual({ missing: [], surplus: [] });
    }

    it("reads the rows of now", () => expectEqualRows(world().histories[name]!));

    it("reads the rows of each snapshot", async () => {
      const history = world().histories[name]!;
      expect(history.snapshots.length).toBeGreaterThan(CHANGES);
      for (const snapshot of history.snapshots) await expectEqualRows(history, snapshot);
    });
  });

  it("finds by predicates at bounds what the API finds", async () => {
    const { table, truth } = world().histories.everything!;
    const shown = TABLES.everything!.filter(({ iceberg }) => kind.profile === "full" || iceberg !== "time");
    const predicates = predicatesAtBounds(await truth(), shown);
    expect(predicates.length).toBeGreaterThan(PREDICATES);
    expect(await client().count(table, predicates)).toEqual(await countsByApi(table, predicates));
  });
}
