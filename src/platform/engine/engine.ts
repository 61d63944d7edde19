// The Worker's client of a team's engine: typed requests in, parsed answers or Problems out.

import type { z } from "zod";
import {
  ColumnProfile,
  EngineFailure,
  ReadEstimate,
  type EstimateRequest,
  type ExportRequest,
  type ProfileRequest,
  type StatementRequest,
} from "../../../kernel/wire/engine.ts";
import { PublishAnswer, StageAnswer, type PublishRequest, type StageRequest } from "../../../kernel/wire/builds.ts";
import { CompiledModel, type CompileModelRequest } from "../../../kernel/semantic/model.ts";
import { SemanticSql, type SemanticSqlRequest } from "../../../kernel/semantic/query.ts";
import {
  AsyncStatementAnswer,
  ROWS_END_HEADER,
  type AsyncStatementRequest,
} from "../../../kernel/wire/statements/async-statement.ts";
import {
  ConnectionReport,
  type ConnectionTest,
  type IntrospectRequest,
  Introspection,
  secretsOf,
  type Source,
} from "../../../kernel/wire/source.ts";
import { ClusterReport, secretsOfCluster, type ClusterTest } from "../../../kernel/wire/statements/cluster.ts";
import { secretsOfTarget, type StatementPart } from "../../../kernel/wire/failure-text.ts";
import { JobStatus, type JobRequest } from "../../../kernel/jobs/work.ts";
import { CONTAINER_LIMITS } from "../container/limits.ts";
import type { Problem } from "../../core/problem.ts";
import { openProgramClient, Unavailable, type ProgramRequest } from "../container/client.ts";
import { waitFor } from "../container/wait-for.ts";
import { engineName } from "./engine-names.ts";
import { ENGINE, type StatementMethod } from "./engine-object.ts";
import { toProblem } from "./failure.ts";

/** What a call may take beyond its own deadline: time to start the engine and to carry the answer. */
const slackMs = CONTAINER_LIMITS.startMs + 10_000;

export type Engine = {
  /** Rejects with `connection_failed` and a flaw at the credential it is about. */
  testConnection(test: ConnectionTest): Promise<ConnectionReport>;
  /** Whether a team's Trino reads the lake. Rejects with `connection_failed` and a flaw at a credential. */
  testCluster(test: ClusterTest): Promise<ClusterReport>;
  /** What there is to sync in a database. Rejects with `connection_failed`. */
  introspect(request: IntrospectRequest): Promise<Introspection>;
  /**
   * Answers the result as the engine streams it, unread; rejects with a Problem when there is none. An abort of
   * `signal` ends the wait, not the statement: cancel it, or let its lease lapse.
   */
  runStatement(statement: StatementRequest, signal: AbortSignal): Promise<Response>;
  /** Whether a semantic model compiles, and what it offers; flaws of the model are its answer, not a failure. */
  compileModel(request: CompileModelRequest): Promise<CompiledModel>;
  /** What a semantic query would send to its database. */
  semanticSql(request: SemanticSqlRequest): Promise<SemanticSql>;
  /** Has a statement run that nobody waits for; the platform is told of its end by `/internal/queries`. */
  startStatement(request: AsyncStatementRequest): Promise<AsyncStatementAnswer>;
  /** What a statement on the lake will read; rejects where it may not run. */
  estimateStatement(request: EstimateRequest): Promise<ReadEstimate>;
  /** What a live read finds out about one column. */
  profileColumn(request: ProfileRequest): Promise<ColumnProfile>;
  /** Writes a dataset's rows as files of the table that it builds; nothing names them yet. An abort ends that. */
  stageTable(request: StageRequest, signal: AbortSignal): Promise<StageAnswer>;
  /** Tests what a run has staged, and commits it. Rejects with `resource_conflict` where others came first. */
  publishTables(request: PublishRequest): Promise<PublishAnswer>;
  /** Answers a lake's catalog as an SQLite file, unread, with its length. Nothing is sent before the file is whole. */
  exportCatalog(request: ExportRequest, signal: AbortSignal): Promise<Response>;
  /** False when no such statement runs in any engine of the team. Starts no engine. */
  renewStatement(id: string): Promise<boolean>;
  /**
   * Bytes of the result of a statement that was started and still runs, from a place on; none where there are no more
   * yet. `isEnd`: they are the last of a statement that has succeeded. Undefined where no engine has any to read.
   */
  readRows(id: string, part: { offset: number; length: number }): Promise<RunningRows | undefined>;
  /**
   * False when no such statement runs in any engine of the team, or no such of the sender's where one is named. Starts
   * no engine.
   */
  cancelStatement(id: string, sender?: string): Promise<boolean>;
  startJob(job: JobRequest): Promise<JobStatus>;
  /** Undefined when the engine knows of no such job, or sleeps. */
  getJob(id: string): Promise<JobStatus | undefined>;
  /** False when no such job runs. Starts no engine. */
  cancelJob(id: string): Promise<boolean>;
  /** Starts the engine where it doesn't run. Rejects with `engine_unavailable`. */
  wake(): Promise<void>;
  /** Whether the engine can be reached. Starts no engine. */
  probe(): Promise<boolean>;
  /** Ends the engine, whatever it works on, and forgets what is kept of it. */
  remove(): Promise<void>;
};

export type RunningRows = { bytes: Uint8Array; isEnd: boolean };

/** How long the bytes of some rows may take once their answer has begun. */
const ROWS_MS = 20_000;

/** Answered only to statements that say what their caller has. */
const NOT_MODIFIED = 304;

/** The engine of an ordinal: the first, if none is named. */
export function openEngine(env: Pick<Env, "ENGINE">, teamId: string, ordinal = 0): Engine {
  const stub = env.ENGINE.getByName(engineName(teamId, ordinal));
  const program = openProgramClient(stub, ENGINE);

  /** The answer, unread; throws the Problem that `explain` makes of the engine's failure. */
  async function take(asked: Promise<Response>, explain: Explain): Promise<Response> {
    const answer = await asked;
    if (answer.ok || answer.status === NOT_MODIFIED) return answer;
    throw explain(program.parse(EngineFailure, await answer.json()));
  }

  const read = async <Schema extends z.ZodType>(schema: Schema, asked: Promise<Response>, explain: Explain) =>
    program.parse(schema, await (await take(asked, explain)).json());

  /** Undefined where the engine knows nothing of what it was asked about, or sleeps. */
  async function takeKnown(asked: Promise<Response | undefined>): Promise<Response | undefined> {
    const answer = await asked;
    return answer && answer.status !== 404 ? take(Promise.resolve(answer), ofPart("sql")) : undefined;
  }

  async function isThere(asked: Promise<Response | undefined>): Promise<boolean> {
    const answer = await takeKnown(asked);
    await answer?.body?.cancel();
    return answer !== undefined;
  }

  /** The first engine's object finds the statement at whatever engine it was placed; any other is asked itself. */
  const askOfStatement = (id: string, method: StatementMethod, rest: string): Promise<Response | undefined> => {
    const path = pathOf(id, rest);
    return ordinal === 0 ? program.receive(stub.askOfStatement(id, method, path)) : program.askRunning(method, path);
  };

  type More = Pick<ProgramRequest, "signal" | "cancelPath">;
  const send = (path: string, body: object, deadlineMs: number, more: More = {}) =>
    program.send({ path, body: JSON.stringify(body), deadlineMs: deadlineMs + slackMs, ...more });
  const sendAgain = (path: string, body: { deadlineMs: number }) =>
    program.sendAgain(path, body, body.deadlineMs + slackMs);

  return {
    testConnection: (test) => read(ConnectionReport, sendAgain("/connections/test", test), ofCredentials(test.source)),
    testCluster: (test) => read(ClusterReport, sendAgain("/clusters/test", test), ofCluster(test)),
    introspect: (request) => read(Introspection, sendAgain("/introspect", request), ofPart("sql", request.source)),
    runStatement(statement, signal) {
      const cancelPath = pathOf(statement.id, senderIn(statement.sender));
      return take(send("/statements", statement, statement.deadlineMs, { signal, cancelPath }), ofStatement(statement));
    },
    startStatement: (request) =>
      read(AsyncStatementAnswer, send("/statements/async", request, request.waitMs), ofStatement(request.statement)),
    compileModel: (request) => read(CompiledModel, sendAgain("/semantic/models", request), ofPart("files")),
    semanticSql: (request) => read(SemanticSql, sendAgain("/semantic/sql", request), ofPart("cube_query")),
    estimateStatement: (request) =>
      read(ReadEstimate, send("/estimates", request, request.deadlineMs), (failure) =>
        toProblem(failure, "sql", [], request.sql),
      ),
    profileColumn: (request) => read(ColumnProfile, send("/profiles", request, request.deadlineMs), ofPart("sql")),
    stageTable: (request, signal) =>
      read(StageAnswer, send("/builds/stage", request, request.deadlineMs, { signal }), ofPart("sql")),
    publishTables: (request) =>
      read(PublishAnswer, send("/builds/publish", request, request.deadlineMs), ofPart("sql")),
    exportCatalog: (request, signal) => take(send("/exports", request, request.deadlineMs, { signal }), ofPart("sql")),
    renewStatement: (id) => isThere(askOfStatement(id, "POST", "/lease")),
    async readRows(id, { offset, length }) {
      const answer = await takeKnown(askOfStatement(id, "GET", `/rows?from=${offset}&bytes=${length}`));
      if (!answer) return undefined;
      const bytes = await waitFor(answer.arrayBuffer(), { deadlineMs: ROWS_MS });
      return { bytes: new Uint8Array(bytes), isEnd: answer.headers.get(ROWS_END_HEADER) === "true" };
    },
    cancelStatement: (id, sender) => isThere(askOfStatement(id, "DELETE", senderIn(sender))),
    startJob: (job) => read(JobStatus, program.sendAgain("/jobs", job, slackMs), ofPart("sql")),
    async getJob(id) {
      const answer = await takeKnown(program.askRunning("GET", `/jobs/${encodeURIComponent(id)}`));
      return answer && program.parse(JobStatus, await answer.json());
    },
    cancelJob: (id) => isThere(program.askRunning("DELETE", `/jobs/${encodeURIComponent(id)}`)),
    wake: () => program.wake(),
    probe: () => program.probe(),
    remove: () => program.remove(),
  };
}

const pathOf = (id: string, rest: string): string => `/statements/${encodeURIComponent(id)}${rest}`;

const senderIn = (sender: string | undefined): string =>
  sender === undefined ? "" : `?sender=${encodeURIComponent(sender)}`;

/** Makes the Problem of a failure; the secrets of what was sent are never in it. */
type Explain = (failure: EngineFailure) => Problem;

const ofPart =
  (part: StatementPart, source?: Source): Explain =>
  (failure) =>
    toProblem(failure, part, source ? secretsOf(source) : []);

const ofCredentials =
  (source: Source): Explain =>
  (failure) =>
    toProblem(failure, { credentialsOf: source.type }, secretsOf(source));

const ofCluster =
  ({ cluster }: ClusterTest): Explain =>
  (failure) =>
    toProblem(failure, { credentialsOf: "trino" }, secretsOfCluster(cluster));

const ofStatement =
  ({ semantic, sql, target }: StatementRequest): Explain =>
  (failure) =>
    toProblem(failure, semantic ? "cube_query" : "sql", secretsOfTarget(target), sql);

/** Whether the engine is at fault, not merely taken: for its callers alone. */
export const isBroken = (error: unknown): boolean => error instanceof Unavailable && error.reason !== "full";
