// A statement's result: its columns, and its rows as canonical text, at the pace of whoever takes them.

import { Failure } from "../../../core/failure.ts";
import type { TakeRow } from "../../connector.ts";
import type { Session } from "../connection/session.ts";
import type { Answer, RowType } from "../connection/statement.ts";
import { fetchChunks, unpack } from "./chunks.ts";
import { describeColumns, type ResultColumn } from "./column-types.ts";
import { RowPacker } from "./row-packer.ts";
import { readRowset } from "./rowset-reader.ts";

export type SnowflakeResult = {
  queryId: string;
  columns: ResultColumn[];
  /** The types as Snowflake describes them. */
  types: RowType[];
  rowCount: number;
  /** To be called once. Rejects with a Failure, with the signal's reason, or with what `take` threw. */
  rows(take: TakeRow): Promise<void>;
};

export function openResult(session: Session, answer: Answer, signal: AbortSignal): SnowflakeResult {
  const { queryId, columns: types, rowset, chunks } = answer;
  if (types.length === 0) throw new Failure("statement_refused", "The statement gave no rows.");
  const columns = describeColumns(types);
  return {
    queryId,
    columns,
    types,
    rowCount: chunks.reduce((sum, { rowCount }) => sum + rowCount, rowset.length),
    rows: (take) => readAll(session, answer, { packer: new RowPacker(columns), take, signal }),
  };
}

type Reading = { packer: RowPacker; take: TakeRow; signal: AbortSignal };

async function readAll(session: Session, answer: Answer, { packer, take, signal }: Reading): Promise<void> {
  const { chunks, chunkHeaders } = answer;
  const inline = answer.rowset;
  // The answer was parsed as a whole; its rows are few, and read as those of chunks are.
  const first = [Buffer.from(JSON.stringify(inline).slice(1, -1))];
  answer.rowset = [];
  signal.throwIfAborted();
  const { isWanted } = await readRowset(first, packer, inline.length, take);
  if (!isWanted) return;
  for await (const chunk of fetchChunks(session.service, chunks, chunkHeaders, signal)) {
    const { isWanted } = await readRowset(unpack(chunk), packer, chunk.rowCount, untilAborted(take, signal));
    if (!isWanted) return;
  }
}

/** Unpacking does not hear the signal: a chunk that is here would be read to its end. */
const untilAborted =
  (take: TakeRow, signal: AbortSignal): TakeRow =>
  (row) => {
    if (signal.aborted) throw signal.reason;
    return take(row);
  };
