// The differences of two results are put into words. Pure.

import type { RowDiff } from "./diff-rows.ts";

const count = (value: number): string => value.toLocaleString("en-US");
const rows = (value: number): string => `${count(value)} ${value === 1 ? "row" : "rows"}`;

/** One sentence for the whole. */
export function summaryOf({ added, removed, changed, same }: RowDiff): string {
  const parts = [
    changed.length > 0 && `${count(changed.length)} changed`,
    added.length > 0 && `${count(added.length)} added`,
    removed.length > 0 && `${count(removed.length)} removed`,
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
    .map(({ name, changes }) => `${name} (${count(changes)})`);
  return [
    ...(columns.length > 0 ? [`Changed in ${columns.join(", ")}.`] : []),
    ...(repeatedKeys > 0
      ? [
          `The key is not unique: ${count(repeatedKeys)} of its values have more than one row. Equal rows of one are ` +
            "put beside each other, and the rest in their order.",
        ]
      : []),
    ...(onlyAfter.length > 0 ? [`Only this result has ${onlyAfter.join(", ")}; not compared.`] : []),
    ...(onlyBefore.length > 0 ? [`Only the other has ${onlyBefore.join(", ")}; not compared.`] : []),
  ];
}
