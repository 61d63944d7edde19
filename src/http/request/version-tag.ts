// The version of what is kept with versions, as `ETag` and `If-Match` have it.

import { Problem } from "../../core/problem.ts";
import { withHeaders, type Answer } from "../answer.ts";

type Versioned = { version: number };

/** The answer with the version of what `versionedIn` finds in it as `ETag`. */
export const taggedBy =
  <Outer>(versionedIn: (value: Outer) => Versioned) =>
  <Value extends Outer>(answer: Answer<Value>): Answer<Value> =>
    withHeaders(
      { ETag: ["The version, in quotes; what `If-Match` takes.", (value: Value) => `"${versionedIn(value).version}"`] },
      answer,
    );

/** The answer with its version as `ETag`. */
export const tagged = taggedBy((value: Versioned) => value);

/** The header by which a caller changes only what they have read. */
export const IF_MATCH = { "If-Match": "The version that was read, in quotes: the `ETag` it came with." };

/** The version that the request's `If-Match` names; undefined for any. */
export function expectedVersion({ headers }: Request): number | undefined {
  const header = headers.get("if-match")?.trim();
  if (header === undefined || header === "*") return undefined;
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(header) ?? [];
  if (version === undefined) throw new Problem("precondition_failed", 'If-Match takes one ETag, such as "3".');
  return Number(version);
}
