// Suggests names of a model like one that the model does not have.

import { editsBetween } from "../../../kernel/text/near-names.ts";

const NAMES_MAX = 3;

/** ` Did you mean orders.count?`, or nothing. The likest comes first; `prefix` stands before each. */
export function didYouMean(wanted: string, names: readonly string[], prefix = ""): string {
  const near = names.flatMap((name) => {
    const edits = editsBetween(wanted.toLowerCase(), name.toLowerCase());
    return edits === undefined ? [] : [{ name, edits }];
  });
  near.sort((one, other) => one.edits - other.edits);
  const shown = near.slice(0, NAMES_MAX).map(({ name }) => `${prefix}${name}`);
  return shown.length === 0 ? "" : ` Did you mean ${shown.join(" or ")}?`;
}
