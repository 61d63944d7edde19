// The fake's statements: run on its database, waited for, given up, and answered as the service answers.

import { randomUUID } from "node:crypto";
import type { Execution, FakeDatabase, KeptRows } from "./fake-database.ts";
import { layOut, layOutLazily, type FakeResult, type Layout } from "./fake-results.ts";
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
  isRunning: boolean;
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

/** Statements whose rows are very many, and the same whenever they are read. */
const LARGE = /ROWCOUNT => \d{7,}|\bMANY\b/i;

const CANCELLED = refusal("000604", "SQL execution canceled", { sqlState: "57014" });

export class FakeStatements {
  readonly all: FakeStatement[] = [];
  readonly database: FakeDatabase;
  /** How many rows lie where. */
  layout: Layout;
  /** A statement takes at least so long. */
  runMs = 0;
  /** Answers by the text of a statement, in place of what the database would say: `data` as the service sends it. */
  readonly prepared = new Map<string, Record<string, unknown> | AnswerBody>();
  readonly #kept = new Map<string, Promise<KeptRows>>();
  readonly #cancels = new Map<string, () => void>();

  constructor(database: FakeDatabase, layout: Layout) {
    this.database = database;
    this.layout = layout;
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
      isRunning: true,
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
      const { sqlText, bindings = {} } = order;
      if (LARGE.test(sqlText)) statement.result = await layOutLazily(await this.#keep(sqlText), this.layout);
      else {
        execution = await this.database.run(sqlText, bindings);
        try {
          statement.result = await layOut(execution.columns, execution.pieces, this.layout);
        } finally {
          execution.close();
        }
      }
      if (this.runMs > 0) await new Promise((resolve) => setTimeout(resolve, this.runMs).unref());
      return ended(
        statement,
        dataOf(statement.result, (index) => chunkUrl(statement.queryId, index)),
      );
    };
    statement.ended = Promise.race([run().catch(failed), aborted.promise]);
    void statement.ended.then(() => (statement.isRunning = false));
    this.all.push(statement);
    return statement;
  }

  #keep(sql: string): Promise<KeptRows> {
    const kept = this.#kept.get(sql) ?? this.database.keep(sql);
    this.#kept.set(sql, kept);
    return kept;
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
          chunks: chunks.map((chunk, index) => ({
            url: chunkUrl(index),
            rowCount: chunk.rowCount,
            ...("bytes" in chunk
              ? { compressedSize: chunk.bytes.length, uncompressedSize: chunk.uncompressedSize }
              : {}),
          })),
          qrmk: "a-key-of-the-store",
          chunkHeaders: { "x-amz-server-side-encryption-customer-key": "a-key-of-the-store" },
        }
      : {}),
  };
}
