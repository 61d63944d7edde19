// The differences of two results are put into words. Pure.

import type { RowDiff } from "./diff-rows.ts";
import { formatExact } from "../../../../ui/data/format.ts";

const rows = (value: number): string => `${formatExact(value)} ${value === 1 ? "row" : "rows"}`;

/** One sentence for the whole. */
export function summaryOf({ added, removed, changed, same }: RowDiff): string {
  const parts = [
    changed.length > 0 && `${formatExact(changed.length)} changed`,
    added.length > 0 && `${formatExact(added.length)} added`,
    removed.length > 0 && `${formatExact(removed.length)} removed`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return same === 0 ? "Both have no rows." : `No difference: ${rows(same)} in both.`;
  return `${parts.join(", ")}; ${rows(same)} the same.`;
}

/** What has to be known to read it. */
export function notesOf({ shared, changedIn, onlyBefore, onlyAfter, repeatedKeys }: RowDiff): string[] {
  const columns = shared
    .map(({ name }, at) => ({ name, changes: changedIn[at]! }))
    .filter(({ changes }) => changes > 0)
    .sort((a, b) => b.changes - a.changes)
    .map(({ name, changes }) => `${name} (${formatExact(changes)})`);
  return [
    ...(columns.length > 0 ? [`Changed in ${columns.join(", ")}.`] : []),
    ...(repeatedKeys > 0
      ? [
          `The key is not unique: ${formatExact(repeatedKeys)} of its values have more than one row. Equal rows of one are ` +
            "put beside each other, and the rest in their order.",
        ]
      : []),
    ...(onlyAfter.length > 0 ? [`Only this result has ${onlyAfter.join(", ")}; not compared.`] : []),
    ...(onlyBefore.length > 0 ? [`Only the other has ${onlyBefore.join(", ")}; not compared.`] : []),
  ];
}
