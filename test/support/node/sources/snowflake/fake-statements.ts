// The fake's statements: run on its database, waited for, given up, and answered as the service answers.

import { randomUUID } from "node:crypto";
import type { FakeDatabase, Execution } from "./fake-database.ts";
import { layOut, type FakeResult, type Layout } from "./fake-results.ts";
import type { Binding } from "./snowflake-sql.ts";

/** What a driver sends to have a statement run. */
export type Order = { sqlText: string; bindings?: Record<string, Binding>; parameters?: Record<string, unknown> };

/** The body of an answer. */
export type AnswerBody = {
  success: boolean;
  code: string | null;
  message: string | null;
  data: Record<string, unknown> | null;
};

export type FakeStatement = {
  queryId: string;
  requestId: string;
  order: Order;
  isAborted: boolean;
  /** Settles with its last answer, and never rejects. */
  ended: Promise<AnswerBody>;
  result?: FakeResult;
};

export const refusal = (code: string, message: string, data: Record<string, unknown> | null = null): AnswerBody => ({
  success: false,
  code,
  message,
  data,
});

const CANCELLED = refusal("000604", "SQL execution canceled", { sqlState: "57014" });

export class FakeStatements {
  readonly all: FakeStatement[] = [];
  readonly database: FakeDatabase;
  /** How many rows lie where. */
  layout: Layout = { inlineRows: 100, chunkRows: 1_000 };
  /** A statement takes at least so long. */
  runMs = 0;
  /** Answers by the text of a statement, in place of what the database would say: `data` as the service sends it. */
  readonly prepared = new Map<string, Record<string, unknown> | AnswerBody>();
  readonly #cancels = new Map<string, () => void>();

  constructor(database: FakeDatabase) {
    this.database = database;
  }

  /** One that came under the same number runs already: a driver asked again. */
  start(requestId: string, order: Order, chunkUrl: (queryId: string, index: number) => string): FakeStatement {
    const running = this.all.find((statement) => statement.requestId === requestId);
    if (running) return running;
    const statement: FakeStatement = {
      queryId: randomUUID(),
      requestId,
      order,
      isAborted: false,
      ended: Promise.resolve(CANCELLED),
    };
    const aborted = Promise.withResolvers<AnswerBody>();
    let execution: Execution | undefined;
    this.#cancels.set(requestId, () => {
      statement.isAborted = true;
      execution?.interrupt();
      aborted.resolve(CANCELLED);
    });
    const run = async () => {
      const answer = this.prepared.get(order.sqlText);
      if (answer) return "success" in answer ? (answer as AnswerBody) : ended(statement, answer);
      execution = await this.database.run(order.sqlText, order.bindings ?? {});
      try {
        statement.result = await layOut(execution.columns, execution.pieces, this.layout);
      } finally {
        execution.close();
      }
      if (this.runMs > 0) await new Promise((resolve) => setTimeout(resolve, this.runMs).unref());
      return ended(
        statement,
        dataOf(statement.result, (index) => chunkUrl(statement.queryId, index)),
      );
    };
    statement.ended = Promise.race([run().catch(failed), aborted.promise]);
    this.all.push(statement);
    return statement;
  }

  abort(requestId: string): boolean {
    const cancel = this.#cancels.get(requestId);
    cancel?.();
    return cancel !== undefined;
  }
}

const ended = ({ queryId }: FakeStatement, data: Record<string, unknown>): AnswerBody => ({
  success: true,
  code: null,
  message: null,
  data: { queryId, queryResultFormat: "json", version: 1, parameters: [], sqlState: "00000", ...data },
});

const failed = (error: unknown): AnswerBody =>
  refusal("001003", `SQL compilation error:\n${(error as Error).message}`, {
    sqlState: "42000",
    queryId: randomUUID(),
  });

function dataOf({ columns, inline, chunks, total }: FakeResult, chunkUrl: (index: number) => string) {
  return {
    rowtype: columns,
    rowset: JSON.parse(`[${inline}]`) as unknown[],
    total,
    returned: total,
    ...(chunks.length > 0
      ? {
          chunks: chunks.map(({ bytes, rowCount, uncompressedSize }, index) => ({
            url: chunkUrl(index),
            rowCount,
            compressedSize: bytes.length,
            uncompressedSize,
          })),
          qrmk: "a-key-of-the-store",
          chunkHeaders: { "x-amz-server-side-encryption-customer-key": "a-key-of-the-store" },
        }
      : {}),
  };
}
