// One statement's result as it arrives: columns first, then rows at the pace of whoever takes them.

import { Failure } from "../../../core/failure.ts";
import type { Column } from "../../../formats/result.ts";
import type { SourceResult, TakeRow } from "../../connector.ts";
import type { ColumnDefinition } from "../connection/column-metadata.ts";
import type { Statement } from "../connection/messages.ts";
import type { TdsWire } from "../connection/wire.ts";
import { describeColumns } from "./column-types.ts";
import { createRowPacker } from "./row-packer.ts";

/**
 * Sends a statement, and settles once its columns are known: then the server waits until the rows are asked for.
 * Rejects as {@link TdsWire.query} does, and where the statement gives no rows.
 */
export async function sendStatement(wire: TdsWire, statement: Statement, signal: AbortSignal): Promise<SourceResult> {
  const described = Promise.withResolvers<Column[]>();
  const rowsWanted = Promise.withResolvers<void>();
  let take: TakeRow = () => false;
  let pack: ReturnType<typeof createRowPacker>["pack"];
  const answered = wire.query(statement, signal, {
    columns(definitions: ColumnDefinition[]) {
      pack = createRowPacker(definitions).pack;
      described.resolve(describeColumns(definitions));
      return rowsWanted.promise;
    },
    row: (memory, from, scanned) => take(pack(memory, from, scanned)),
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
