// One statement on a source: its rows as they come from the connector, or through a writer into the answer.

import type { AnswerSink } from "../core/sink.ts";
import type { SourceStatement } from "../core/statement.ts";
import type { RowTaker } from "../formats/result.ts";
import { createWriter } from "../formats/writers.ts";
import { RowAnswer } from "../formats/row-answer.ts";
import { callerAccess } from "./access/caller-access.ts";
import { connectorOf } from "./connectors.ts";

/** Rejects where the answer can't hold the failure: before its first byte, and in formats other than JSON. */
export async function runSourceStatement(
  statement: SourceStatement,
  signal: AbortSignal,
  answer: AnswerSink,
): Promise<void> {
  const { id, result, sql, target } = statement;
  const rows = new RowAnswer({
    answer,
    format: result.format,
    statement: { part: "sql", sql, target },
    createWriter: (columns) => createWriter({ columns, result, requestId: id }),
  });
  try {
    await runSourceRows(statement, signal, rows);
  } catch (error) {
    rows.fail(signal.aborted ? signal.reason : error);
  } finally {
    rows.stop();
  }
}

/** Gives a statement's rows to `taker`; its end comes before the connection to the database is closed. */
export async function runSourceRows(statement: SourceStatement, signal: AbortSignal, taker: RowTaker): Promise<void> {
  const { id, sql, values, isCompiled, deadlineMs } = statement;
  const { source } = statement.target;
  const access = callerAccess(statement.target.access);
  await connectorOf(source).query(
    { source, sql, values, isCompiled, access, signal, id, deadlineMs },
    async ({ columns, rows }) => {
      taker.columns(columns);
      await rows((row) => taker.row(row));
      await taker.end();
    },
  );
}
