// Each load method keeps its rows in the lake its own way, and cannot see everything at the source. Pure.

import type { components } from "../../api/schema.d.ts";

export type LoadMethod = components["schemas"]["SyncConfig"]["load_method"];
export type Coverage = "seen" | "not seen" | "seen within limits";
export type LoadMethodFacts = { title: string; text: string; deletes: Coverage; changes: Coverage; lateRows: Coverage };

export const LOAD_METHODS: Record<LoadMethod, LoadMethodFacts> = {
  merge: {
    title: "Merge",
    text: "The lake's table equals the source's, row for row. Each run reads what may have changed.",
    deletes: "seen",
    changes: "seen",
    lateRows: "seen",
  },
  overwrite: {
    title: "Overwrite",
    text: "The lake's table equals the source's. Each run reads everything, and swaps the table in one step.",
    deletes: "seen",
    changes: "seen",
    lateRows: "seen",
  },
  append: {
    title: "Append",
    text: "New rows are added to what is there; the rest of the source is not followed.",
    deletes: "not seen",
    changes: "not seen",
    lateRows: "seen within limits",
  },
};

/** What a cursor reads again for the sake of late rows, by the kind of its column. */
export const CURSOR_LIMITS =
  "A cursor reads again from a little below its largest value: 50,000 for whole numbers, two days for dates, an hour " +
  "for times. Rows that appear further below, changes that leave the column as it is, and deleted rows are not seen.";

export const WITHOUT_CURSOR =
  "A table without a cursor is compared with the lake: PostgreSQL's tables with a key by what was written since, all " +
  "others row by row.";
