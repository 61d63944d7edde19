// The fake's sessions share this state: who may log in, what is there, what goes wrong, and what they were sent.

import type { DuckDBInstance } from "@duckdb/node-api";
import type { AnswerFault, LoginFault } from "./faults.ts";
import type { FakeColumn } from "./tds/column-types.ts";
import type { Login } from "./tds/login.ts";
import type { Statement } from "./tds/requests.ts";
import type { FakeTables } from "./tsql/fake-tables.ts";
import type { RowBatch } from "./tsql/tsql-session.ts";

/** What statements that match `when` are answered with, whatever they ask. */
export type PreparedAnswer = { when: RegExp; columns: FakeColumn[]; batches(sql: string): Iterable<RowBatch> };

export type ServerState = {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Without it the server has no TLS. */
  readonly tls: { key: string; cert: string } | undefined;
  readonly tables: FakeTables;
  readonly instance: DuckDBInstance;
  /** The statements as they were sent, the driver's own settings among them. */
  readonly statements: string[];
  /** The last statement that came with values. */
  bound: Statement | undefined;
  readonly logins: Login[];
  readonly answers: PreparedAnswer[];
  /** What a client sent that no client may, and faults of the fake itself. */
  readonly failures: unknown[];
  attentions: number;
  /** Statements that are worked on now. */
  running: number;
  loginFault: LoginFault | undefined;
  answerFault: AnswerFault | undefined;
};
