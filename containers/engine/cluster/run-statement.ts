// One statement on a team's own Trino: its rows through a writer into the answer, and what it took into the account.

import { applyEdits } from "../../../kernel/text/edits.ts";
import { READER_HEAD_CHARACTERS_MAX } from "../../../kernel/wire/statements/async-statement.ts";
import type { ClusterUse } from "../../../kernel/wire/statements/cluster.ts";
import { Failure } from "../core/failure.ts";
import type { AnswerSink } from "../core/sink.ts";
import type { ClusterStatement } from "../core/statement.ts";
import type { Column } from "../formats/result.ts";
import { RowAnswer } from "../formats/row-answer.ts";
import { createWriter } from "../formats/writers.ts";
import { createRowPacker } from "../formats/row-packer.ts";
import { ClusterHttp } from "./connection/cluster-http.ts";
import { statementFailure } from "./connection/errors.ts";
import type { ClusterColumn } from "./connection/pages.ts";
import { runStatement, type ReadSoFar } from "./connection/statement.ts";
import { reportUse } from "./report-use.ts";
import { typedColumns } from "./rows/cluster-types.ts";
import { cellReader, trinoRowReader } from "./rows/read-rows.ts";

/** Rejects where the answer can't hold the failure: before its first byte, and in formats other than JSON. */
export async function runClusterStatement(
  statement: ClusterStatement,
  platformUrl: string,
  signal: AbortSignal,
  answer: AnswerSink,
): Promise<void> {
  const { id, result, sql, target } = statement;
  const read: ReadSoFar = { bytesRead: 0 };
  const rows = new RowAnswer({
    answer,
    format: result.format,
    statement: { part: "sql", sql, target },
    createWriter: (columns) => createWriter({ columns, result, requestId: id }),
    meta: () => ({ engine: "trino", bytesRead: read.bytesRead }),
  });
  const report = (outcome: ClusterUse["outcome"]) => void reportUse(statement, platformUrl, { ...read, outcome });
  try {
    await runRows(statement, read, signal, rows);
    report("succeeded");
  } catch (error) {
    report(signal.aborted ? "cancelled" : "failed");
    rows.fail(signal.aborted ? signal.reason : error);
  } finally {
    rows.stop();
  }
}

async function runRows(
  { sql, target, trinoHead }: ClusterStatement,
  read: ReadSoFar,
  signal: AbortSignal,
  rows: RowAnswer,
): Promise<void> {
  const edited = applyEdits(sql, target.edits);
  if (edited === undefined) throw new Failure("bad_request", "The statement's edits are not in order.");
  const isTrino = target.form === "trino";
  const session = { timeZone: target.timeZone, isParametric: !isTrino || target.isParametric };
  const http = await ClusterHttp.open(target.cluster, session, signal);
  try {
    let take: ((row: readonly unknown[]) => boolean | Promise<boolean>) | undefined;
    pages: for await (const page of runStatement(http, edited, read, signal)) {
      take ??= begin(page.columns, isTrino, rows, trinoHead);
      for (const row of page.rows) {
        const taken = take(row);
        if (!(typeof taken === "boolean" ? taken : await taken)) break pages;
      }
    }
    await rows.end();
  } catch (error) {
    signal.throwIfAborted();
    throw statementFailure(error, { sql, edited, edits: target.edits });
  } finally {
    http.close();
  }
}

function begin(
  columns: readonly ClusterColumn[],
  isTrino: boolean,
  rows: RowAnswer,
  head: ClusterStatement["trinoHead"],
): (row: readonly unknown[]) => boolean | Promise<boolean> {
  const typed = typedColumns(columns);
  // Trino's own values are texts of JSON already.
  const shown = typed.map(
    ({ column }): Column => (isTrino ? { name: column.name, type: "json", kind: "json" } : column),
  );
  const read = isTrino ? trinoRowReader(typed) : cellReader(typed);
  const pack = createRowPacker(shown.length);
  if (isTrino && head) head.columns = headOf(columns);
  rows.columns(shown);
  return (row) => rows.row(pack(read(row)));
}

function headOf(columns: readonly ClusterColumn[]): string {
  const head = JSON.stringify(columns);
  if (head.length <= READER_HEAD_CHARACTERS_MAX) return head;
  throw new Failure("resources_exceeded", "The statement's columns take more than can be kept of them.");
}
