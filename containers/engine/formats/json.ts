// A result as one JSON document has a head and an end around its rows: the end says whether it is whole.
//
// `{"columns":[…],"types":[…],"data":[{…},…],"rowCount":2,"truncated":false,"timing":{…},"meta":{…},"success":true}`
//
// `success` is the last member: a document that was cut off has none and does not parse, one that failed half-way says
// `false` with `message` and `error`. Where a row was refused `truncated` is true.

import type { Column, Ending } from "./result.ts";

/** `"columns":[…],"types":[…]` */
export function membersOf(columns: readonly Column[]): string {
  const names = columns.map(({ name }) => name);
  const types = columns.map(({ name, type, kind }) => ({ name, type, kind }));
  return `"columns":${JSON.stringify(names)},"types":${JSON.stringify(types)}`;
}

/** The end of the document, behind the last row. */
export const jsonTail = (requestId: string, rowCount: number, truncated: boolean, ending: Ending): string =>
  `\n],${JSON.stringify(jsonEnding(requestId, rowCount, truncated, ending)).slice(1)}\n`;

/** The members that a document ends with, `success` the last of them. */
export function jsonEnding(
  requestId: string,
  rowCount: number,
  truncated: boolean,
  { durationMs, phases, cachedAt, meta, failure }: Ending,
) {
  return {
    rowCount,
    truncated,
    timing: { durationMs, phases },
    meta: { requestId, durationMs, ...(cachedAt && { cachedAt: cachedAt.toISOString() }), ...meta },
    ...failure,
    success: !failure,
  };
}
