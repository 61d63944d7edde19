// One statement's result as it arrives: columns first, then rows at the pace of whoever takes them.

import { Failure } from "../core/failure.ts";
import type { Column, RowTaker } from "./result.ts";

type TakeRow = RowTaker["row"];

/** Takes what arrives. The source's wire pauses the server until the promise settles. */
type Arriving<C extends Column> = { columns(columns: C[]): Promise<void>; row: TakeRow };

export type StreamedResult<C extends Column> = { columns: C[]; rows(take: TakeRow): Promise<void> };

/**
 * Settles once the columns of the statement that `send` sends are known: then the server waits until the rows are asked
 * for. Rejects as `send` does, and where the statement gives no rows.
 */
export async function streamResult<C extends Column>(
  send: (arriving: Arriving<C>) => Promise<unknown>,
): Promise<StreamedResult<C>> {
  const described = Promise.withResolvers<C[]>();
  const rowsWanted = Promise.withResolvers<void>();
  let take: TakeRow = () => false;
  const answered = send({
    columns(columns) {
      described.resolve(columns);
      return rowsWanted.promise;
    },
    row: (row) => take(row),
  });
  answered.then(
    () => described.reject(new Failure("statement_refused", "The statement gave no rows.")),
    described.reject,
  );
  return {
    columns: await described.promise,
    async rows(taker) {
      take = taker;
      rowsWanted.resolve();
      await answered;
    },
  };
}
