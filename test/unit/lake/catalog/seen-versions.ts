// What readers have seen under each version of a table, from the first look on: expired snapshots included.

import { expect } from "vitest";
import type { AccessRoles } from "../../../../kernel/access/access.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import type { TestLake } from "../../../support/unit/lake.ts";

const grant = (table: string, rest: object = {}) => ({
  ...{ schema: "main", table, excludes: [], masks: {}, filters: [] },
  ...rest,
});

/** Whoever reads everything, and two who read by names that tables and columns have, had or will have. */
const READERS: Readonly<Record<string, AccessRoles | undefined>> = {
  all: undefined,
  masked: [[grant("a", { masks: { c2: null } }), grant("b", { excludes: ["r1", "r2", "r3"] })]],
  mixed: [[grant("a")], [grant("b", { masks: { n: "0" } })]],
};

export class SeenVersions {
  /** By reader, table and version. */
  readonly #seen = new Map<string, string>();
  readonly #lake: TestLake;
  #hasLooked = false;

  constructor(lake: TestLake) {
    this.#lake = lake;
  }

  /** Equal versions mean an equal entry and an equal plan, whatever snapshots and looks they come from. */
  async look(snapshotId: number): Promise<void> {
    for (const [reader, roles] of Object.entries(READERS)) {
      const access = roles ? reader : "everything";
      if (roles && !this.#hasLooked) await this.#lake.catalog.keepAccess(reader, roles);
      const { tables } = valueOf(await this.#lake.catalog.describe(snapshotId, access));
      const ids = tables.map(({ tableId }) => tableId);
      const plans = valueOf(await this.#lake.catalog.plan(snapshotId, ids, access));
      for (const table of tables) {
        const key = `${reader} ${table.tableId} ${table.version}`;
        const plan = plans.find(({ tableId }) => tableId === table.tableId);
        const now = JSON.stringify([table, plan]);
        expect([key, now]).toEqual([key, this.#seen.get(key) ?? now]);
        this.#seen.set(key, now);
      }
    }
    this.#hasLooked = true;
  }
}
