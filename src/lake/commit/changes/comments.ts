// set_comments: descriptions of a table and its columns for people, kept as DuckLake's tags of the key `comment`. Pure.

import { findTable, intend, type Apply } from "../draft.ts";

export const setComments: Apply<"set_comments"> = (draft, change, pointer) => {
  const table = findTable(draft, change);
  if (typeof table === "string") return draft.flaws.length > 0 ? undefined : table;
  intend(draft, "alter", table);
  for (const [index, { columnId, comment }] of change.comments.entries()) {
    if (columnId !== null && !table.columns.has(columnId)) {
      draft.flaws.push({
        pointer: `${pointer}/comments/${index}/columnId`,
        message: `The table has no column ${columnId}.`,
      });
    }
    const before = draft.comments.get(table.tableId)?.get(columnId) ?? null;
    // What an earlier change of the commit said does not count.
    if (before === comment) table.newComments.delete(columnId);
    else table.newComments.set(columnId, comment);
  }
  if (table.newComments.size > 0) table.did.add("altered_table");
  return undefined;
};
