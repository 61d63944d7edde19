// Suggests names of a model like one that the model does not have.

import { likeNames } from "../../../kernel/text/like-names.ts";

/** ` Did you mean orders.count?`, or nothing. The likest comes first; `prefix` stands before each. */
export function didYouMean(wanted: string, names: readonly string[], prefix = ""): string {
  const like = likeNames(wanted, names, (name) => [name]).map((name) => `${prefix}${name}`);
  return like.length === 0 ? "" : ` Did you mean ${like.join(" or ")}?`;
}
