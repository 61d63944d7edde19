// The Worker's client of a team's engine: typed requests in, parsed answers or Problems out.

import type { z } from "zod";
import {
  ColumnProfile,
  ConnectionReport,
  ENGINE_MARK,
  EngineFailure,
  Introspection,
  JobStatus,
  PROTOCOL,
  type ConnectionTest,
  type ExportRequest,
  type IntrospectRequest,
  type JobRequest,
  type ProfileRequest,
  type Statement,
} from "../../../containers/engine/protocol.ts";
import { LIMITS } from "../../core/limits.ts";
import { Problem } from "../../core/problem.ts";
import type { EngineObject } from "./engine-object.ts";
import { toProblem } from "./engine-failure.ts";
import { UNAVAILABLE, UNAVAILABLE_HEADER, type UnavailableReason } from "./unavailable.ts";

/** What a call may take beyond its own deadline: room to start the engine and to carry the answer. */
const slackMs = LIMITS.engineStartMs + 10_000;
const shortMs = 5_000;
const foreignCharactersMax = 500;

export type Engine = {
  /** Rejects with `connection_failed` and a flaw at the credential it is about. */
  testConnection(test: ConnectionTest): Promise<ConnectionReport>;
  /** What there is to sync in a database. Rejects with `connection_failed`. */
  introspect(request: IntrospectRequest): Promise<Introspection>;
  /**
   * Answers the result as the engine streams it, unread; rejects with a Problem when there is none. An abort of `signal`
   * ends the wait, not the statement: cancel it, or let its lease lapse.
   */
  runStatement(statement: Statement, signal: AbortSignal): Promise<Response>;
  /** What a live read tells of one column. */
  profileColumn(request: ProfileRequest): Promise<ColumnProfile>;
  /** Answers a lake's catalog as an SQLite file, unread, with its length. Nothing is sent before the file is whole. */
  exportCatalog(request: ExportRequest, signal: AbortSignal): Promise<Response>;
  /** False when no such statement runs. Starts no engine. */
  renewStatement(id: string): Promise<boolean>;
  /** False when no such statement runs. Starts no engine. */
  cancelStatement(id: string): Promise<boolean>;
  startJob(job: JobRequest): Promise<JobStatus>;
  /** Undefined when the engine knows of no such job, or sleeps. */
  getJob(id: string): Promise<JobStatus | undefined>;
  /** False when no such job runs. Starts no engine. */
  cancelJob(id: string): Promise<boolean>;
  /** Whether the way to the engine is open. Starts no engine. */
  probe(): Promise<boolean>;
};

export function openEngine(env: Pick<Env, "ENGINE">, teamId: string): Engine {
  const stub = env.ENGINE.getByName(teamId);
  return {
    async testConnection(test) {
      const answer = await sendAgain(stub, "/connections/test", test, test.deadlineMs + slackMs);
      if (!answer.ok) throw toProblem(await readFailure(answer), "credentials", [test.source.credentials.password]);
      return parse(ConnectionReport, await answer.json());
    },

    async introspect(request) {
      const answer = await sendAgain(stub, "/introspect", request, request.deadlineMs + slackMs);
      if (!answer.ok) throw toProblem(await readFailure(answer), "sql", [request.source.credentials.password]);
      return parse(Introspection, await answer.json());
    },

    async runStatement(statement, signal) {
      const answer = await send(stub, "/statements", statement, statement.deadlineMs + slackMs, signal);
      if (answer.ok) return answer;
      const { target } = statement;
      throw toProblem(await readFailure(answer), "sql", target.kind === "source" ? [target.source.credentials.password] : []);
    },

    async profileColumn(request) {
      const answer = await send(stub, "/profiles", request, request.deadlineMs + slackMs);
      if (!answer.ok) throw toProblem(await readFailure(answer), "sql");
      return parse(ColumnProfile, await answer.json());
    },

    async exportCatalog(request, signal) {
      const answer = await send(stub, "/exports", request, request.deadlineMs + slackMs, signal);
      if (answer.ok) return answer;
      throw toProblem(await readFailure(answer), "sql");
    },

    renewStatement: (id) => isThere(stub, "POST", `/statements/${encodeURIComponent(id)}/lease`),

    cancelStatement: (id) => isThere(stub, "DELETE", `/statements/${encodeURIComponent(id)}`),

    async startJob(job) {
      const answer = await sendAgain(stub, "/jobs", job, slackMs);
      if (!answer.ok) throw toProblem(await readFailure(answer), "sql");
      return parse(JobStatus, await answer.json());
    },

    async getJob(id) {
      const answer = await askRunning(stub, "GET", `/jobs/${encodeURIComponent(id)}`);
      if (!answer || answer.status === 404) return undefined;
      if (!answer.ok) throw toProblem(await readFailure(answer), "sql");
      return parse(JobStatus, await answer.json());
    },

    cancelJob: (id) => isThere(stub, "DELETE", `/jobs/${encodeURIComponent(id)}`),

    async probe() {
      try {
        return await within(shortMs, stub.probe());
      } catch {
        return false;
      }
    },
  };
}

type Stub = DurableObjectStub<EngineObject>;

/** Throws `engine_unavailable` for whatever the engine did not answer itself; `lost` says it may have worked on the request. */
async function send(stub: Stub, path: string, body: unknown, deadlineMs: number, signal?: AbortSignal): Promise<Response> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new Unavailable("silent", `no answer within ${deadlineMs} ms`)), deadlineMs);
  try {
    const answer = await stub.fetch(`http://engine${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal,
    });
    await refuseForeign(answer);
    return answer;
  } catch (error) {
    if (signal?.aborted || error instanceof Problem) throw error;
    throw new Unavailable("lost", error);
  } finally {
    clearTimeout(timer);
  }
}

/** For what may be done twice: an engine that was lost while it worked is asked once more, as a new one. */
async function sendAgain(stub: Stub, path: string, body: unknown, deadlineMs: number): Promise<Response> {
  try {
    return await send(stub, path, body, deadlineMs);
  } catch (error) {
    if (!(error instanceof Unavailable) || (error.reason !== "lost" && error.reason !== "hung")) throw error;
    return send(stub, path, body, deadlineMs);
  }
}

async function askRunning(stub: Stub, method: "GET" | "POST" | "DELETE", path: string): Promise<Response | undefined> {
  const answer = await within(shortMs, stub.askRunning(method, path)).catch((error: unknown) => {
    throw new Unavailable("lost", error);
  });
  if (answer) await refuseForeign(answer);
  return answer ?? undefined;
}

async function isThere(stub: Stub, method: "POST" | "DELETE", path: string): Promise<boolean> {
  const answer = await askRunning(stub, method, path);
  if (!answer || answer.status === 404) return false;
  if (!answer.ok) throw toProblem(await readFailure(answer), "sql");
  await answer.body?.cancel();
  return true;
}

/** Whether the engine is at fault, not merely taken. To be told only by whoever has called it. */
export const isBroken = (error: unknown): boolean => error instanceof Unavailable && error.reason !== "full";

class Unavailable extends Problem {
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, cause: unknown) {
    super("engine_unavailable", UNAVAILABLE[reason], [], { cause });
    this.reason = reason;
  }
}

/** The container class answers plain text by itself when it has no engine, and an engine of another release misreads us. */
async function refuseForeign(answer: Response): Promise<void> {
  const mark = answer.headers.get(ENGINE_MARK);
  if (mark === String(PROTOCOL)) return;
  const reason = answer.headers.get(UNAVAILABLE_HEADER);
  const text = (await answer.text()).slice(0, foreignCharactersMax);
  const said = mark === null ? `${answer.status} without the engine's mark: ${text}` : `protocol ${mark} instead of ${PROTOCOL}`;
  throw new Unavailable(reason !== null && reason in UNAVAILABLE ? (reason as UnavailableReason) : "start", new Error(`The engine's path answered ${said}`));
}

const readFailure = async (answer: Response): Promise<EngineFailure> => parse(EngineFailure, await answer.json());

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw new Unavailable("start", result.error);
  return result.data;
}

async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  const settled = new AbortController();
  const late = scheduler.wait(deadlineMs, { signal: settled.signal }).then(() => Promise.reject(new Error(`no answer within ${deadlineMs} ms`)));
  return Promise.race([work, late]).finally(() => settled.abort());
}
