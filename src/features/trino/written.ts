// The end of a statement that wrote: its name and its number of rows, in the forms of Trino's clients.

import type { CallContext } from "../../http/call.ts";
import { TRINO_LIMITS } from "./limits.ts";
import { readStoredPart } from "../query/async/follow.ts";
import { isWrite, type AsyncQuery } from "../query/async/async-query.ts";
import { columnsJson, type Progress } from "./answer.ts";
import { BIGINT } from "../trino-sql/trino-types.ts";
import type { Update } from "../trino-sql/translate/write/translate-write.ts";

type Ended = Pick<Progress, "state" | "updateType" | "columns" | "updateCount" | "data" | "warnings">;

/** What a query's row keeps of the statement; {@link readWrittenHead} reads it. */
export const writtenHead = ({ updateType, isCounted }: Update): string => JSON.stringify({ updateType, isCounted });

/** Undefined where the statement reads. */
export const readWrittenHead = (query: AsyncQuery): Update | undefined =>
  isWrite(query) ? (JSON.parse(query.readerHead!) as Update) : undefined;

export async function readWritten(ctx: CallContext, query: AsyncQuery, update: Update): Promise<Ended> {
  if (!update.isCounted) return endOf(update);
  const bytes = await readStoredPart(ctx, query, { offset: 0, length: TRINO_LIMITS.pageBytes });
  const { count } = JSON.parse(new TextDecoder().decode(bytes)) as { count: number | string };
  return { ...endOf(update), updateCount: Number(count), data: `[${count}]` };
}

/** The statement is in the lake's snapshots, but its engine was lost before it said how many rows there were. */
export const writtenUncounted = (update: Update): Ended => ({ ...endOf(update), warnings: [UNCOUNTED] });

/** Codes from here on are free for connectors. */
const UNCOUNTED = {
  warningCode: { code: 0x01_00_00_00, name: "ROW_COUNT_UNKNOWN" },
  message: "The statement was written. How many rows it wrote is not known.",
};

const endOf = ({ updateType, isCounted }: Update): Ended => ({
  state: "FINISHED",
  updateType,
  columns: columnsJson(isCounted ? [{ name: "rows", type: BIGINT }] : []),
});
