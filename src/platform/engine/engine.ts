// The Worker's client of a team's engine: typed requests in, parsed answers or Problems out.

import {
  ColumnProfile,
  EngineFailure,
  type ExportRequest,
  type ProfileRequest,
  type StatementRequest,
} from "../../../containers/engine/contract/protocol.ts";
import { CompiledModel, type CompileModelRequest } from "../../../containers/engine/contract/semantic/model.ts";
import { SemanticSql, type SemanticSqlRequest } from "../../../containers/engine/contract/semantic/query.ts";
import {
  AsyncStatementAnswer,
  type AsyncStatementRequest,
} from "../../../containers/engine/contract/async-statement.ts";
import {
  ConnectionReport,
  type ConnectionTest,
  type IntrospectRequest,
  Introspection,
  secretsOf,
} from "../../../containers/engine/contract/source.ts";
import { JobStatus, type JobRequest } from "../../../containers/engine/contract/work.ts";
import { LIMITS } from "../../core/limits.ts";
import type { Problem } from "../../core/problem.ts";
import { openProgramClient, Unavailable, type ProgramClient } from "../container/client.ts";
import { ENGINE } from "./engine-object.ts";
import { toProblem } from "./failure.ts";

/** What a call may take beyond its own deadline: time to start the engine and to carry the answer. */
const slackMs = LIMITS.engineStartMs + 10_000;

export type Engine = {
  /** Rejects with `connection_failed` and a flaw at the credential it is about. */
  testConnection(test: ConnectionTest): Promise<ConnectionReport>;
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
  /** What a live read finds out about one column. */
  profileColumn(request: ProfileRequest): Promise<ColumnProfile>;
  /** Answers a lake's catalog as an SQLite file, unread, with its length. Nothing is sent before the file is whole. */
  exportCatalog(request: ExportRequest, signal: AbortSignal): Promise<Response>;
  /** False when no such statement runs. Starts no engine. */
  renewStatement(id: string): Promise<boolean>;
  /** False when no such statement runs, or no such of the sender's where one is named. Starts no engine. */
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

export function openEngine(env: Pick<Env, "ENGINE">, teamId: string): Engine {
  const program = openProgramClient(env.ENGINE.getByName(teamId), ENGINE);
  return {
    async testConnection(test) {
      const answer = await program.sendAgain("/connections/test", test, test.deadlineMs + slackMs);
      const { source } = test;
      const pointsAt = { credentialsOf: source.type };
      if (!answer.ok) throw toProblem(await readFailure(program, answer), pointsAt, secretsOf(source));
      return program.parse(ConnectionReport, await answer.json());
    },

    async introspect(request) {
      const answer = await program.sendAgain("/introspect", request, request.deadlineMs + slackMs);
      if (!answer.ok) throw toProblem(await readFailure(program, answer), "sql", secretsOf(request.source));
      return program.parse(Introspection, await answer.json());
    },

    async runStatement(statement, signal) {
      const answer = await program.send({
        path: "/statements",
        body: JSON.stringify(statement),
        deadlineMs: statement.deadlineMs + slackMs,
        signal,
      });
      if (answer.ok) return answer;
      throw statementProblem(statement, await readFailure(program, answer));
    },

    async startStatement(request) {
      const answer = await program.send({
        path: "/statements/async",
        body: JSON.stringify(request),
        deadlineMs: request.waitMs + slackMs,
      });
      if (!answer.ok) throw statementProblem(request.statement, await readFailure(program, answer));
      return program.parse(AsyncStatementAnswer, await answer.json());
    },

    async compileModel(request) {
      const answer = await program.sendAgain("/semantic/models", request, request.deadlineMs + slackMs);
      if (!answer.ok) throw toProblem(await readFailure(program, answer), "files");
      return program.parse(CompiledModel, await answer.json());
    },

    async semanticSql(request) {
      const answer = await program.sendAgain("/semantic/sql", request, request.deadlineMs + slackMs);
      if (!answer.ok) throw toProblem(await readFailure(program, answer), "cube_query");
      return program.parse(SemanticSql, await answer.json());
    },

    async profileColumn(request) {
      const answer = await program.send({
        path: "/profiles",
        body: JSON.stringify(request),
        deadlineMs: request.deadlineMs + slackMs,
      });
      if (!answer.ok) throw toProblem(await readFailure(program, answer), "sql");
      return program.parse(ColumnProfile, await answer.json());
    },

    async exportCatalog(request, signal) {
      const answer = await program.send({
        path: "/exports",
        body: JSON.stringify(request),
        deadlineMs: request.deadlineMs + slackMs,
        signal,
      });
      if (answer.ok) return answer;
      throw toProblem(await readFailure(program, answer), "sql");
    },

    renewStatement: (id) => isThere(program, "POST", `/statements/${encodeURIComponent(id)}/lease`),

    cancelStatement(id, sender) {
      const ofSender = sender === undefined ? "" : `?sender=${encodeURIComponent(sender)}`;
      return isThere(program, "DELETE", `/statements/${encodeURIComponent(id)}${ofSender}`);
    },

    async startJob(job) {
      const answer = await program.sendAgain("/jobs", job, slackMs);
      if (!answer.ok) throw toProblem(await readFailure(program, answer), "sql");
      return program.parse(JobStatus, await answer.json());
    },

    async getJob(id) {
      const answer = await program.askRunning("GET", `/jobs/${encodeURIComponent(id)}`);
      if (!answer || answer.status === 404) return undefined;
      if (!answer.ok) throw toProblem(await readFailure(program, answer), "sql");
      return program.parse(JobStatus, await answer.json());
    },

    cancelJob: (id) => isThere(program, "DELETE", `/jobs/${encodeURIComponent(id)}`),

    wake: () => program.wake(),
    probe: () => program.probe(),
    remove: () => program.remove(),
  };
}

const statementProblem = ({ semantic, sql, target }: StatementRequest, failure: EngineFailure): Problem =>
  toProblem(failure, semantic ? "cube_query" : "sql", target.kind === "source" ? secretsOf(target.source) : [], sql);

async function isThere(program: ProgramClient, method: "POST" | "DELETE", path: string): Promise<boolean> {
  const answer = await program.askRunning(method, path);
  if (!answer || answer.status === 404) return false;
  if (!answer.ok) throw toProblem(await readFailure(program, answer), "sql");
  await answer.body?.cancel();
  return true;
}

/** Whether the engine is at fault, not merely taken. Of use only to whoever has called it. */
export const isBroken = (error: unknown): boolean => error instanceof Unavailable && error.reason !== "full";

const readFailure = async (program: ProgramClient, answer: Response): Promise<EngineFailure> =>
  program.parse(EngineFailure, await answer.json());
